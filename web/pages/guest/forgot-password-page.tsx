import { useState } from 'react'
import { ForgotPasswordForm } from '#web/features/auth/account-links/forgot-password-form.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { GuestFrame } from './guest-frame.tsx'

const FOR_OWNERS = (
  <>
    <Say
      text="No mail comes? This workspace may have no mail server; an owner finds the letter in the outbox. Are you the only owner? On the server, run <code>npm run dossier -- owner:create</code>."
      parts={{ code: (inner) => <code>{inner}</code> }}
    />
  </>
)

/** For those who do not know their password any more. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  if (isAsked) {
    return (
      <GuestFrame
        title={t('Look into your mail')}
        lead={
          <>
            <Say
              text="If {email} belongs to an account here, a link to choose a new password is on its way. It works once, for one hour. Until then your password stays as it is."
              values={{ email: <strong>{email}</strong> }}
            />
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
      title={t('Forgot your password')}
      lead={t('Enter the e-mail address of your account, and we send you a link to choose a new one.')}
      foot={FOR_OWNERS}
    >
      <ForgotPasswordForm email={email} onEmail={setEmail} onAsked={() => setIsAsked(true)} />
      <BackToSignIn />
    </GuestFrame>
  )
}
