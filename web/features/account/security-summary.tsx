import type { z } from 'zod'
import type { readFactors } from '#api/second-factors.ts'
import { PASSWORD_MIN_CHARACTERS } from '#domain/sessions/password-rules.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { listText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { IconShieldExclamation } from '#web/ui/icons/later.ts'
import { IconShieldCheck } from '#web/ui/icons/start.ts'
import './security-summary.css'

export type Factors = z.output<typeof readFactors.response>

/** Whether sign-in requires more than a password. */
export const hasSecondFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys.length > 0

const FEW_CODES = 3

const MORE = t('Add a passkey or an authenticator app to protect your account.')

function describeSecurity(factors: Factors): {
  readonly title: string
  readonly detail: string
  readonly isGood: boolean
} {
  const { hasPassword, totp, passkeys, recoveryCodesLeft } = factors
  if (!hasSecondFactor(factors)) {
    return {
      isGood: false,
      title: hasPassword
        ? t('Only a password protects this account')
        : t('An external account is the only way to sign in'),
      detail: `${hasPassword ? t('Anyone who knows your password can sign in.') : t('Anyone with access to the external account can sign in here.')} ${MORE}`,
    }
  }
  if (recoveryCodesLeft <= FEW_CODES) {
    return {
      isGood: false,
      title: t('You’re running out of recovery codes'),
      detail: t('You’ll need them if you lose your phone or security key. Generate new ones below.'),
    }
  }
  const keys = plural(passkeys.length, 'a passkey', '{n} passkeys')
  const means = listText([...(totp ? [t('an authenticator app')] : []), ...(passkeys.length > 0 ? [keys] : [])])
  return {
    isGood: true,
    title: t('Your account is well protected'),
    detail: hasPassword
      ? t('Your account is protected by your password and {means}. A stolen password alone is not enough to sign in.', {
          means,
        })
      : t(
          'Your account is protected by your identity provider and {means}. Access to the provider account alone is not enough.',
          { means },
        ),
  }
}

export function SecuritySummary({ factors }: { readonly factors: Factors }) {
  const { title, detail, isGood } = describeSecurity(factors)
  const SummaryIcon = isGood ? IconShieldCheck : IconShieldExclamation
  return (
    <div className="security-summary" data-tour="security-summary" data-good={isGood || undefined}>
      <SummaryIcon size={28} stroke={1.5} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{detail}</p>
      </div>
    </div>
  )
}

export const isPasswordTooShort = (error: unknown): boolean => toCallError(error)?.code === 'password-weak'

/** Explains why the last second factor can't be removed. */
export function ShortPasswordNotice({ onChangePassword }: { readonly onChangePassword: () => void }) {
  return (
    <ErrorNotice
      title={t('Your password is too short to use without a second factor')}
      detail={t(
        'It has fewer than {passwordMinCharacters} characters, which is only allowed with a second factor. Nothing was removed. Choose a longer password and try again.',
        { passwordMinCharacters: PASSWORD_MIN_CHARACTERS },
      )}
      onRetry={onChangePassword}
      retryLabel={t('Change password first')}
    />
  )
}
