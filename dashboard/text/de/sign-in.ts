import type { signIn as source } from "../en/sign-in.ts";

export const signIn: typeof source = {
  linkUsed:
    "Dieser Link ist abgelaufen oder wurde schon benutzt. Starten Sie den Dienst neu, um einen neuen zu erhalten, oder melden Sie sich hier an.",
  title: "Anmelden",
  lead: "Sie brauchen kein Passwort: Wir senden Ihnen einen Code. Sind Sie neu hier, eröffnet er Ihr Konto.",
  sessionEnded: "Ihre Sitzung ist beendet. Melden Sie sich neu an, um fortzufahren.",
  email: "E-Mail-Adresse",
  emailHint: "Wir verwenden sie nur, um Sie anzumelden und Ihnen zu antworten.",
  emailWrong: "Das sieht nicht nach einer E-Mail-Adresse aus. Sie enthält ein @, wie name@example.com.",
  send: "Code senden",
  or: "oder",
  identity: (name) => `Mit ${name} anmelden`,
  identityLead: "Melden Sie sich mit dem Konto Ihrer Organisation an.",
  identityCancelled: "Die Anmeldung wurde abgebrochen oder ist abgelaufen. Beginnen Sie neu.",
  useInvitation: "Einladungscode verwenden",
  invitation: "Einem Konto beitreten",
  invitationLead: "Geben Sie den Code aus der Einladung ein. Er meldet Sie mit der eingeladenen Adresse an.",
  invitationCode: "Einladungscode",
  join: "Beitreten",
  withoutInvitation: "Zurück zur Anmeldung",
  passkey: "Mit Passkey anmelden",
  codeTitle: "Code eingeben",
  codeLead: (email) => `Wir haben sechs Ziffern an ${email} gesendet.`,
  codeUntil: (time) => `Der Code gilt bis ${time}.`,
  code: "Sechsstelliger Code",
  enter: "Anmelden",
  resend: "Neuen Code senden",
  resendIn: (seconds) =>
    seconds === 1 ? "Neuen Code senden in 1 Sekunde" : `Neuen Code senden in ${seconds} Sekunden`,
  sent: "Ein neuer Code ist unterwegs. Den vorigen brauchen Sie nicht mehr.",
  changeEmail: "Andere Adresse verwenden",
  spam: "Nichts angekommen? Sehen Sie im Spam-Ordner nach, und prüfen Sie die Adresse auf Tippfehler.",
  onThisMachine:
    "Dieser Dienst läuft auf Ihrem eigenen Rechner. Wenn Sie ihn nicht für E-Mail eingerichtet haben, steht der Code in seinem Terminal und in DATA_DIR/outbox.",
  notOffered:
    "Hier können keine Codes gesendet werden: Der Betreiber hat den Versand von E-Mail noch nicht eingerichtet.",
  notOfferedHow:
    "Wer den Dienst betreibt, setzt ANYFORM_MAIL_FROM (auf AWS mailFrom) auf die Absenderadresse und startet ihn neu. Ein Passkey funktioniert ohne E-Mail.",
  passkeyProblems: {
    NotAllowedError:
      "Der Passkey wurde nicht verwendet: Der Vorgang wurde abgebrochen oder dauerte zu lange. Versuchen Sie es noch einmal, oder lassen Sie sich einen Code senden.",
    InvalidStateError: "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
    NotSupportedError: "Dieses Gerät kann keinen Passkey erzeugen, den der Dienst prüfen kann.",
    SecurityError:
      "Passkeys funktionieren nur unter dem Namen, unter dem der Dienst erreicht wird, über https oder auf localhost.",
  },
};
