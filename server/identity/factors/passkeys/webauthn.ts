import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import type { RelyingParty } from '#server/identity/factors/factor-deps.ts'
import type { FactorUser } from '#server/identity/factors/store.ts'
import type { StoredPasskey } from './passkeys-store.ts'

/** Larger than the response of any authenticator. */
const part = z.string().max(20_000)

const common = { id: z.string().max(2048), rawId: z.string().max(2048), type: z.literal('public-key') }

const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})

const authentication = z.object({
  ...common,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: z.string().max(200).nullish(),
  }),
})

export function readRegistration(
  response: unknown,
): (RegistrationResponseJSON & { readonly transports: readonly string[] }) | undefined {
  const read = registration.safeParse(response).data
  if (read === undefined) return undefined
  const { transports = [], ...parts } = read.response
  return { ...read, response: parts, clientExtensionResults: {}, transports }
}

export function readAuthentication(
  response: unknown,
): (AuthenticationResponseJSON & { readonly userHandle: string | undefined }) | undefined {
  const read = authentication.safeParse(response).data
  if (read === undefined) return undefined
  const { userHandle, ...parts } = read.response
  return { ...read, response: parts, clientExtensionResults: {}, userHandle: userHandle ?? undefined }
}

const clientData = z.object({ challenge: z.string().max(200) })

/** The challenge as reported by the client; untrusted until the signature is verified. */
export const challengeIn = (given: {
  readonly response: { readonly clientDataJSON: string }
}): Promise<string | undefined> =>
  Promise.resolve(Buffer.from(given.response.clientDataJSON, 'base64url').toString('utf8'))
    .then((text): unknown => JSON.parse(text))
    .then(
      (said) => clientData.safeParse(said).data?.challenge,
      () => undefined,
    )

/** Imported on first use, which saves 30 MB and a tenth of a second in workspaces without passkeys. */
const webauthn = () => import('@simplewebauthn/server')

/** Ed25519, ES256 and RS256, the algorithms of common authenticators. */
const ALGORITHMS = [-8, -7, -257]

type KnownPasskey = Pick<StoredPasskey, 'credentialId' | 'transports'>

const namesOf = (passkeys: readonly KnownPasskey[]): { id: string; transports: string[] }[] =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }))

/** The user handle stored in passkeys; identifies the user when no name was entered. */
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

/** Without a list of allowed credentials, the user selects the passkey. */
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
  // Maps the library's different errors to a single one.
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
