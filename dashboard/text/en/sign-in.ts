/** Texts of the page to sign in on. */
export const signIn = {
  title: "Sign in",
  lead: "You need no password: we send you a code. If you are new here, it opens your account.",
  again: "You were signed out: the session had ended. Sign in again to go on.",
  email: "E-mail address",
  emailHint: "We use it to sign you in and to answer you, for nothing else.",
  emailWrong: "This does not look like an e-mail address. One has an @ in it, like name@example.com.",
  send: "Send me a code",
  or: "or",
  passkey: "Sign in with a passkey",
  codeTitle: "Enter the code",
  codeLead: (email: string) => `We have sent six digits to ${email}.`,
  codeUntil: (time: string) => `The code holds until ${time}.`,
  code: "Six-digit code",
  enter: "Sign in",
  sendAgain: "Send another code",
  sendAgainIn: (seconds: number) =>
    seconds === 1 ? "Send another code in 1 second" : `Send another code in ${seconds} seconds`,
  sent: "Another code is on its way. The one before it no longer has to be used.",
  other: "Use another address",
  spam: "Nothing there? Look into the spam folder, and check the address for typing errors.",
  onThisMachine:
    "This service runs on your own machine. Unless you have set it up to send mail, the code is in its terminal and in DATA_DIR/outbox.",
  notOffered: "No codes can be sent here: the operator of this service has not set up mail yet.",
  notOfferedHow:
    "Who runs it sets ANYFORM_MAIL_FROM (on AWS, mailFrom) to the address that mail is sent from, and starts it again. A passkey works without mail.",
  passkeyProblems: {
    NotAllowedError: "The passkey was not used: it was cancelled, or took too long. Try again, or have a code sent.",
    InvalidStateError: "This device has a passkey for your account already.",
    NotSupportedError: "This device cannot make a passkey that the service can check.",
    SecurityError: "Passkeys work only at the name that the service is reached by, over https or on localhost.",
  },
};
