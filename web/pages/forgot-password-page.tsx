import { useState } from 'react'
import { ForgotForm } from '#web/features/session/forgot-form.tsx'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { GuestFrame } from './guest-frame.tsx'

const FOR_OWNERS = (
  <>
    No mail comes? This workspace may have no mail server; an owner finds the letter in the outbox. Are you the only
    owner? On the server, run <code>npm run dossier -- owner:create</code>.
  </>
)

/** For those who do not know their password any more. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  if (isAsked) {
    return (
      <GuestFrame
        title="Look into your mail"
        lead={
          <>
            If <strong>{email}</strong> belongs to an account here, a link to choose a new password is on its way. It
            works once, for one hour. Until then your password stays as it is.
          </>
        }
        foot={FOR_OWNERS}
      >
        <BackToSignIn />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame
      title="Forgot your password"
      lead="Enter the e-mail address of your account, and we send you a link to choose a new one."
      foot={FOR_OWNERS}
    >
      <ForgotForm email={email} onEmail={setEmail} onAsked={() => setIsAsked(true)} />
      <BackToSignIn />
    </GuestFrame>
  )
}
