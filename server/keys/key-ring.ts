import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What a key is for. Each purpose has a key of its own, derived, so that one can never stand in for another. */
export type KeyPurpose = 'access-token' | 'file-address' | 'totp' | 'passkey-ticket'

/** One secret of the workspace. Its id is written into what it signs, so that it can be replaced without a break. */
export type SigningKey = { readonly id: string; readonly keyFor: (purpose: KeyPurpose) => Uint8Array }

/** The secrets of the workspace: one that signs, and older ones whose signatures still count. */
export type KeyRing = {
  readonly current: SigningKey
  readonly find: (id: string) => SigningKey | undefined
}

const keyFile = z.object({ keys: z.array(z.object({ id: z.string(), secret: z.base64url() })).min(1) })

type StoredKey = z.infer<typeof keyFile>['keys'][number]

const KEY_BYTES = 32

/** The file of the secrets inside the data folder, readable by its owner alone; the first key is the current one. */
const FILE_NAME = 'keys.json'

function signingKey({ id, secret }: StoredKey): SigningKey {
  const bytes = Buffer.from(secret, 'base64url')
  const derived = new Map<KeyPurpose, Uint8Array>()
  const keyFor = (purpose: KeyPurpose): Uint8Array => {
    const known = derived.get(purpose) ?? new Uint8Array(hkdfSync('sha256', bytes, '', `dossier ${purpose}`, KEY_BYTES))
    derived.set(purpose, known)
    return known
  }
  return { id, keyFor }
}

/** Reads the secrets from the data folder, or makes them the first time. */
export function openKeyRing(dataFolder: string): KeyRing {
  const file = join(dataFolder, FILE_NAME)
  if (!existsSync(file)) writeNewKeys(dataFolder, file)
  const keys = keyFile.parse(JSON.parse(readFileSync(file, 'utf8'))).keys.map(signingKey)
  const [current] = keys
  if (current === undefined) throw new Error(`${file} holds no key.`)
  return { current, find: (id) => keys.find((key) => key.id === id) }
}

/** Written beside and moved into place, so that a power cut leaves either no file or a whole one. */
function writeNewKeys(dataFolder: string, file: string): void {
  mkdirSync(dataFolder, { recursive: true })
  const key: StoredKey = {
    id: randomBytes(6).toString('base64url'),
    secret: randomBytes(KEY_BYTES).toString('base64url'),
  }
  const beside = `${file}.${process.pid}.new`
  writeFileSync(beside, JSON.stringify({ keys: [key] }), { mode: 0o600, flush: true })
  renameSync(beside, file)
}
