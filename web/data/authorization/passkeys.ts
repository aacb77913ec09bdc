import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { t } from '#web/i18n/t.ts'
import { fetchModuleOnline } from '#web/ui/loading/lazy-module.tsx'
import { CallError } from '#web/data/api/call-error.ts'

export type PasskeyOptions = { readonly [part: string]: unknown }

export type PasskeyResponse = { readonly id: string; readonly response: { readonly [part: string]: unknown } }

/** Loaded only when passkeys are used or offered, because most sign-ins don't need the library. */
const webauthn = () => fetchModuleOnline(() => import('@simplewebauthn/browser'))

/** Passkeys require HTTPS or localhost. */
export const canUsePasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

const WHY: ReadonlyMap<string, string> = new Map([
  ['NotAllowedError', t('The dialog was closed or timed out. Try again, or use another method.')],
  ['AbortError', t('The dialog was closed. Try again, or use another method.')],
  ['InvalidStateError', t('This device already has a passkey for your account.')],
  ['SecurityError', t('Passkeys only work at the public address of this workspace. Open it there and try again.')],
])

function passkeyError(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  throw new CallError(
    'passkey-unused',
    WHY.get(name) ?? t('This device couldn’t complete the request. Use another method.'),
  )
}

const asResponse = (made: AuthenticationResponseJSON | RegistrationResponseJSON) => made as unknown as PasskeyResponse

export async function getPasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  const { startAuthentication } = await webauthn()
  // The server creates the options with the same library.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON }).then(asResponse, passkeyError)
}

export async function createPasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  const { startRegistration } = await webauthn()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).then(asResponse, passkeyError)
}

export async function canAutofillPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false
  const library = await webauthn().then(
    (loaded) => loaded,
    () => undefined,
  )
  return (await library?.browserSupportsWebAuthnAutofill()) ?? false
}

/**
 * Offers passkeys in the input's autofill suggestions; resolves to the selected passkey, or to undefined if the request
 * is aborted, for example because the passkey button was clicked.
 */
export async function awaitAutofillPasskey(options: PasskeyOptions): Promise<PasskeyResponse | undefined> {
  const { startAuthentication } = await webauthn()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).then(asResponse, () => undefined)
}

export const cancelAutofillPasskey = (): Promise<void> =>
  webauthn().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
