import { useState } from 'react'
import { ForgotPasswordForm } from '#web/features/auth/account-links/forgot-password-form.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { BackToSignIn, GuestFrame } from './guest-frame.tsx'

const FOR_OWNERS = (
  <>
    <Say
      text="No email? This workspace may have no mail server; an owner can find the email in the outbox. Are you the only owner? Run <code>npm run dossier -- owner:create</code> on the server."
      parts={{ code: (inner) => <code>{inner}</code> }}
    />
  </>
)

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  if (isAsked) {
    return (
      <GuestFrame
        title={t('Check your inbox')}
        lead={
          <>
            <Say
              text="If {email} has an account here, we’ve sent a link to reset your password. It works once and expires in one hour. Your current password keeps working until then."
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
      title={t('Reset password')}
      lead={t('Enter your email address and we’ll send you a link to reset your password.')}
      foot={FOR_OWNERS}
    >
      <ForgotPasswordForm email={email} onEmail={setEmail} onAsked={() => setIsAsked(true)} />
      <BackToSignIn />
    </GuestFrame>
  )
}
