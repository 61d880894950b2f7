/** Texts of the sign-in page. */
export const signIn = {
  linkUsed: "This link has expired or was already used. Restart the service for a new one, or sign in below.",
  title: "Sign in",
  lead: "No password needed: we email you a code. If you are new, the code also creates your account.",
  sessionEnded: "Your session has ended. Sign in again to continue.",
  email: "Email address",
  emailHint: "Used only to sign you in and to reply to you.",
  emailWrong: "Enter a valid email address, for example name@example.com.",
  send: "Send code",
  or: "or",
  identity: (name: string) => `Sign in with ${name}`,
  identityLead: "Sign in with the account of your organization.",
  identityCancelled: "The sign-in was cancelled or has expired. Start again.",
  passkey: "Sign in with a passkey",
  codeTitle: "Enter the code",
  codeLead: (email: string) => `We sent a six-digit code to ${email}.`,
  codeUntil: (time: string) => `The code expires at ${time}.`,
  code: "Six-digit code",
  enter: "Sign in",
  resend: "Resend code",
  resendIn: (seconds: number) => (seconds === 1 ? "Resend code in 1 second" : `Resend code in ${seconds} seconds`),
  sent: "New code sent. You no longer need the previous one.",
  changeEmail: "Use a different email",
  spam: "No email? Check your spam folder, and check the address for typos.",
  onThisMachine:
    "This service runs on your own computer. Unless you have set up email, the code is printed in its terminal and saved in DATA_DIR/outbox.",
  notOffered: "Sign-in codes are not available: the operator of this service has not set up email yet.",
  notOfferedHow:
    "If you are the operator, set ANYFORM_MAIL_FROM (on AWS, mailFrom) to the sender address and restart the service. Passkeys work without email.",
  passkeyProblems: {
    NotAllowedError:
      "The passkey was not used: the request was cancelled or timed out. Try again, or use an email code.",
    InvalidStateError: "This device already has a passkey for your account.",
    NotSupportedError: "This device cannot create a passkey that this service can verify.",
    SecurityError: "Passkeys work only on this service's own domain, over HTTPS or on localhost.",
  },
};
