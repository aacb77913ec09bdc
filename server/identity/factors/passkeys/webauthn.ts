import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import type { RelyingParty } from '#server/identity/factors/factor-deps.ts'
import type { StoredPasskey } from './passkeys-store.ts'
import type { FactorUser } from '#server/identity/factors/store.ts'
import type { readAuthentication, readRegistration } from './webauthn-response.ts'

/** Loaded with the first passkey: 30 MB and a tenth of a second that a workspace without passkeys saves. */
const webauthn = () => import('@simplewebauthn/server')

/** Ed25519, ES256, RS256: the algorithms of common authenticators. */
const ALGORITHMS = [-8, -7, -257]

type KnownPasskey = Pick<StoredPasskey, 'credentialId' | 'transports'>

const namesOf = (passkeys: readonly KnownPasskey[]): { id: string; transports: string[] }[] =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }))

/** The user handle stored in passkeys, returned when no user was named. */
const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

export const creationOptions = async (
  party: RelyingParty,
  user: FactorUser,
  passkeys: readonly KnownPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await webauthn()).generateRegistrationOptions({
    rpName: 'Dossier',
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: namesOf(passkeys),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })

/** Without allowed credentials the user selects the passkey. */
export const requestOptions = async (
  party: RelyingParty,
  passkeys: readonly KnownPasskey[],
  challenge?: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await webauthn()).generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    ...(passkeys.length === 0 ? {} : { allowCredentials: namesOf(passkeys) }),
    ...(challenge === undefined ? {} : { challenge }),
  })

export async function verifyNewPasskey(
  party: RelyingParty,
  response: NonNullable<ReturnType<typeof readRegistration>>,
  challenge: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | undefined> {
  const { transports, ...given } = response
  const { verifyRegistrationResponse } = await webauthn()
  // The library throws different errors for each cause; callers need only one.
  const verified = await verifyRegistrationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).then(
    (result) => result.registrationInfo?.credential,
    () => undefined,
  )
  if (verified === undefined) return undefined
  return {
    credentialId: verified.id,
    publicKey: Buffer.from(verified.publicKey).toString('base64url'),
    counter: verified.counter,
    transports,
  }
}

export async function verifySignature(
  party: RelyingParty,
  response: NonNullable<ReturnType<typeof readAuthentication>>,
  challenge: string,
  passkey: StoredPasskey,
): Promise<number | undefined> {
  const { userHandle, ...given } = response
  const { verifyAuthenticationResponse } = await webauthn()
  if (userHandle !== undefined && userHandle !== userHandleOf(passkey.userId)) return undefined
  return verifyAuthenticationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo.newCounter : undefined),
    () => undefined,
  )
}
