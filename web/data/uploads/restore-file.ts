import type { FileBody } from '#api/records.ts'
import { attachFiles } from './attach-files.ts'
import type { RecordPlace } from './upload-types.ts'
import { uploads } from './uploads.ts'

/** Puts a file that was taken out of a record back where it stood, and tells whoever shows the record. */
export async function restoreFile(place: RecordPlace, { file, at }: { readonly file: FileBody; readonly at: number }) {
  const attached = await attachFiles(place, [file.id], at)
  uploads.tell({
    is: 'attached',
    place,
    files: [{ ...file, file: undefined, mark: null }],
    attached,
    givenAtMs: Date.now(),
  })
}
