import { memorySlots } from "../../../local/memory/slots.ts";
import { accountSlotsContract } from "../../adapters/contract/account-slots.ts";

accountSlotsContract("one machine", async () => ({
  slots: memorySlots({ wait: 3 }),
  kind: "wait",
  max: 3,
  close: async () => {},
}));
