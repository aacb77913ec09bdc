import type { FactorMethod } from '#api/factor-methods.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { t } from '#web/i18n/t.ts'

/** The ways in which one can be asked to prove who one is. */
export type ReauthenticationMethod = 'password' | FactorMethod

/** How one method offers itself beside the one that is shown. */
export const OTHER_METHOD_LABELS: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Use a code from your app'),
  passkey: t('Use a passkey'),
  'recovery-code': t('Use a recovery code'),
  password: t('Use your password'),
}

/** What to do, one sentence per method. */
export const METHOD_PROMPTS: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Enter the code from your authenticator app.'),
  passkey: t('Your browser will ask for your fingerprint, face, PIN or security key.'),
  'recovery-code': t('Enter one of the recovery codes you saved when you set up your second factor. Each works once.'),
  password: t('Enter your account password.'),
}

const WRONG: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Wrong code. Codes change every 30 seconds and work once. Enter the current one from your app.'),
  passkey: t('This passkey belongs to another account. Use another passkey or method.'),
  'recovery-code': t('This code is wrong or was already used. Try another one.'),
  password: t('Wrong password.'),
}

/** Why a proof was not accepted, in the words that fit its method. */
export function reauthenticationErrorText(method: ReauthenticationMethod, error: unknown): string {
  if (toCallError(error)?.code === 'login-refused') return WRONG[method]
  const { title, detail } = describeError(error)
  return `${title}. ${detail}`
}
