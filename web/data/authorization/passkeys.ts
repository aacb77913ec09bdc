import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { t } from '#web/i18n/t.ts'
import { CallError } from '#web/data/api/call-error.ts'

/** What the server wants the browser to ask the authenticator, in WebAuthn's JSON form. */
export type PasskeyOptions = { readonly [part: string]: unknown }

/** What the browser's passkey dialog gave, as the endpoints take it. */
export type PasskeyResponse = { readonly id: string; readonly response: { readonly [part: string]: unknown } }

/** Loaded when passkeys are used or offered: most sign-ins do not need it. */
const webauthn = () => import('@simplewebauthn/browser')

/** Whether passkeys can be used here at all: browsers give them only to https and to this very machine. */
export const canUsePasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

const WHY: ReadonlyMap<string, string> = new Map([
  ['NotAllowedError', t('The dialog was closed or timed out. Try again, or use another method.')],
  ['AbortError', t('The dialog was closed. Try again, or use another method.')],
  ['InvalidStateError', t('This device already has a passkey for your account.')],
  ['SecurityError', t('Passkeys only work at the public address of this workspace. Open it there and try again.')],
])

function passkeyError(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  throw new CallError('passkey-unused', WHY.get(name) ?? t('This device couldn’t complete the request. Use another method.'))
}

// The library's form has named parts; on the wire they are an object like any other.
const asResponse = (made: AuthenticationResponseJSON | RegistrationResponseJSON) => made as unknown as PasskeyResponse

/** Asks for one of the passkeys that fit; the browser shows its own dialog. */
export async function getPasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  const { startAuthentication } = await webauthn()
  // The server made them with the same library's other half.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON }).then(asResponse, passkeyError)
}

/** Makes a new passkey; the browser shows its own dialog. */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyResponse> {
  const { startRegistration } = await webauthn()
  // As above.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).then(asResponse, passkeyError)
}

/** Whether the browser offers passkeys among the suggestions for an input. */
export async function canAutofillPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false
  const { browserSupportsWebAuthnAutofill } = await webauthn()
  return browserSupportsWebAuthnAutofill()
}

/**
 * Lets the browser offer passkeys among the suggestions of the input that asks for them; resolves when one is chosen,
 * and with undefined when none will be, for instance because the passkey button was pressed meanwhile.
 */
export async function awaitAutofillPasskey(options: PasskeyOptions): Promise<PasskeyResponse | undefined> {
  const { startAuthentication } = await webauthn()
  // As above.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).then(asResponse, () => undefined)
}

/** Stops passkey autofill when its page is left. */
export const cancelAutofillPasskey = (): Promise<void> =>
  webauthn().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
