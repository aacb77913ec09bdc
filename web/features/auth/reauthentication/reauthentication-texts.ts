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
  totp: t('Open your authenticator app and enter the code it shows for Dossier.'),
  passkey: t('Your browser will ask for your fingerprint, your face, your PIN or a security key.'),
  'recovery-code': t('Enter one of the codes you kept when you set up your second factor. Each works once.'),
  password: t('Enter the password of your account.'),
}

const WRONG: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('This code is not right. It changes every 30 seconds and works once; enter the one your app shows now.'),
  passkey: t('This passkey does not belong to this account. Choose another one, or another way.'),
  'recovery-code': t('This code is not right, or it was used before. Try another one.'),
  password: t('This password is not right.'),
}

/** Why a proof was not accepted, in the words that fit its method. */
export function reauthenticationErrorText(method: ReauthenticationMethod, error: unknown): string {
  if (toCallError(error)?.code === 'login-refused') return WRONG[method]
  const { title, detail } = describeError(error)
  return `${title}. ${detail}`
}
