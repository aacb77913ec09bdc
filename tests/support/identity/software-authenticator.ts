import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Flaws in an authenticator response that the server must reject. */
export type Flaws = {
  /** Overrides the origin in the client data. */
  readonly origin?: string
  /** Overrides the host name that the authenticator signs. */
  readonly rpId?: string
  /** Overrides the challenge in the client data. */
  readonly challenge?: string
  /** Overrides the user verification flag. */
  readonly isUserVerified?: boolean
  /** Overrides the signature counter. */
  readonly counter?: number
  readonly isForged?: boolean
}

/** A software passkey: ES256, discoverable, with user verification. */
export type SoftwarePasskey = {
  readonly id: string
  /** Creates a registration response for these options. */
  readonly register: (options: Options, flaws?: Flaws) => object
  /** Creates a sign-in response for these options. */
  readonly sign: (options: Options, flaws?: Flaws) => object
}

// oxlint-disable-next-line typescript/no-explicit-any
type Options = any

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

function coseKey(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return isoCBOR.encode(cose)
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(rpId: string, flags: number, counter: number, credential: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), head, credential])
}

export function makeSoftwarePasskey(origin = 'http://localhost:4100'): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  let userHandle: string | undefined

  function flagsOf({ isUserVerified = true }: Flaws): number {
    return USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
  }

  return {
    id: base64url(id),
    register: (options, flaws = {}) => {
      userHandle = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const rpId = flaws.rpId ?? options.rp.id
      const data = authenticatorData(rpId, flagsOf(flaws) | HAS_CREDENTIAL, counter, credential)
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(data)],
      ])
      const client = clientData('webauthn.create', flaws.challenge ?? options.challenge, flaws.origin ?? origin)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          // The map above contains only CBOR types.
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ['internal'],
        },
      }
    },
    sign: (options, flaws = {}) => {
      counter += 1
      const rpId = flaws.rpId ?? options.rpId
      const data = authenticatorData(rpId, flagsOf(flaws), flaws.counter ?? counter, new Uint8Array())
      const client = clientData('webauthn.get', flaws.challenge ?? options.challenge, flaws.origin ?? origin)
      const key = flaws.isForged === true ? other.privateKey : privateKey
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(key)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle,
        },
      }
    },
  }
}
