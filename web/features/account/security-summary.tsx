import type { z } from 'zod'
import type { readFactors } from '#api/second-factors.ts'
import { IconShieldCheck } from '#web/ui/icons/icon-shield-check.ts'
import { IconShieldExclamation } from '#web/ui/icons/icon-shield-exclamation.ts'
import { listText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import './security-summary.css'

/** What one has set up besides the password. */
export type Factors = z.output<typeof readFactors.answer>

/** Whether a stolen password alone is not enough any more. */
export const hasSecondFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys.length > 0

const FEW_CODES = 3

const MORE = t('A passkey or an authenticator app takes a minute to set up and ends that.')

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
        : t('Only a sign-in elsewhere protects this account'),
      detail: `${hasPassword ? t('Whoever learns it is in.') : t('Whoever gets into that is in here, too.')} ${MORE}`,
    }
  }
  if (recoveryCodesLeft <= FEW_CODES) {
    return {
      isGood: false,
      title: t('Your recovery codes are running out'),
      detail: t('They are the way back in when your phone or key is lost. Make new ones below.'),
    }
  }
  const keys = plural(passkeys.length, 'a passkey', '{n} passkeys')
  const means = listText([...(totp ? [t('an authenticator app')] : []), ...(passkeys.length > 0 ? [keys] : [])])
  return {
    isGood: true,
    title: t('Your account is well protected'),
    detail: hasPassword
      ? t('Besides your password there is {means}. A stolen password alone opens nothing.', { means })
      : t('Besides your sign-in elsewhere there is {means}. That sign-in alone opens nothing.', { means }),
  }
}

/** How well the account is protected, in one look. */
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
