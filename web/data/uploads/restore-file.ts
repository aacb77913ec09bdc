import type { FileBody } from '#api/records.ts'
import { attachFiles } from './attach-files.ts'
import type { RecordPlace } from './upload-types.ts'
import { uploads } from './uploads.ts'

export async function restoreFile(place: RecordPlace, { file, at }: { readonly file: FileBody; readonly at: number }) {
  const attached = await attachFiles(place, [file.id], at)
  uploads.events.emit({
    is: 'attached',
    place,
    files: [{ ...file, file: undefined, mark: null }],
    attached,
    givenAtMs: Date.now(),
  })
}
