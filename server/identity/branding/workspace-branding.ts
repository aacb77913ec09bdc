import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'

const NAME = 'name'
const LOGO = 'logo'

export const loadWorkspaceName = async (db: Reader): Promise<string> => (await readWorkspaceValue(db, NAME)) ?? ''

export const storeWorkspaceName = (db: Transaction['db'], name: string): Promise<void> =>
  storeWorkspaceValue(db, NAME, name)

export type StoredLogo = { readonly bytes: Buffer; readonly version: string }

/** Only a few kilobytes, so it is stored with the other settings and included in every backup. */
export async function loadLogo(db: Reader): Promise<StoredLogo | undefined> {
  const value = await readWorkspaceValue(db, LOGO)
  if (value === undefined) return undefined
  return { bytes: Buffer.from(value, 'base64'), version: hashSecret(value).slice(0, VERSION_LENGTH) }
}

const VERSION_LENGTH = 16

export const storeLogo = (db: Transaction['db'], bytes: Uint8Array): Promise<void> =>
  storeWorkspaceValue(db, LOGO, Buffer.from(bytes).toString('base64'))

/** Returns whether a logo was stored. */
export async function removeStoredLogo(db: Transaction['db']): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('workspace').where('name', '=', LOGO).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The base URL for an email's links, and the workspace name. */
export const emailPlace = async (db: Reader, { publicUrl }: { readonly publicUrl: URL }) => ({
  publicUrl,
  workspace: await loadWorkspaceName(db),
})
