import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { FileFault } from '#domain/uploads/file-rules.ts'
import type { DeclaredFile } from '#domain/uploads/upload.ts'
import { type FileField, fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { stripLocation } from '#server/files/images/strip-location.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** A staged file under the id it is staged by. */
export type StagedBytes = { readonly id: string; readonly bytes: number }

/** Largest picture whose bytes are held in memory to be looked through; cameras make none that come near. */
const MAX_PICTURE_BYTES = 200_000_000

/** How long the disk may take for the next part, in ms. */
const READ_TIMEOUT_MS = 30_000

/**
 * The bytes that are kept of an arrived file: its own, or a copy without the place where it was taken, where its field
 * says so. The copy is staged under an id of its own, so that an interrupted finish leaves nothing that the sweep does not
 * find; the bytes that came stay until the file is made.
 */
export async function stripLocationFromUpload(
  { staging, newId }: Pick<UploadDeps, 'staging' | 'newId'>,
  { id, file, type }: { readonly id: string; readonly file: DeclaredFile; readonly type: string },
  field: FileField,
): Promise<Result<StagedBytes, FileFault>> {
  const own = { id, bytes: file.bytes }
  if (fileOptionsOf(field).stripLocation !== true || !type.startsWith('image/') || type === 'image/svg+xml')
    return ok(own)
  if (file.bytes > MAX_PICTURE_BYTES) return fail(tooLarge(file))
  const stripped = await stripLocation(await readFile(staging.pathOf(id)))
  if (!stripped.hadLocation) return ok(own)

  const copy = { id: newId(), bytes: stripped.bytes.length }
  await staging.append(copy.id, Readable.from([stripped.bytes]), {
    offset: 0,
    skip: 0,
    size: copy.bytes,
    onBytes: () => undefined,
    patienceMs: () => READ_TIMEOUT_MS,
  })
  return ok(copy)
}

const tooLarge = ({ name }: DeclaredFile): FileFault => ({
  code: 'too-large',
  message: `“${name}” is larger than ${MAX_PICTURE_BYTES / 1_000_000} MB. This field removes location data from photos, which isn’t possible for files this large. Choose a smaller file or another field.`,
})
