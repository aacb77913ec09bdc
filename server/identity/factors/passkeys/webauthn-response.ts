import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

/** Above the size of any authenticator's response. */
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

/** The challenge according to the client; trustworthy only after the signature is verified. */
export const challengeIn = (given: {
  readonly response: { readonly clientDataJSON: string }
}): Promise<string | undefined> =>
  Promise.resolve(Buffer.from(given.response.clientDataJSON, 'base64url').toString('utf8'))
    .then((text): unknown => JSON.parse(text))
    .then(
      (said) => clientData.safeParse(said).data?.challenge,
      () => undefined,
    )
