import { type FileFault, checkFirstBytes } from '#domain/uploads/file-rules.ts'
import { SNIFF_BYTES } from '#domain/uploads/file-types.ts'
import type { Upload } from '#domain/uploads/upload.ts'
import { type FileField, fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { detectFileType } from '#server/files/uploads/detect-file-type.ts'
import type { UploadDeps } from './upload-deps.ts'

/** Checks the beginning of a file once, as soon as it has arrived. */
export type FirstBytesCheck = {
  readonly bytes: number
  readonly isWanted: () => Promise<boolean>
  /** Null before enough bytes have arrived. */
  readonly type: () => string | null
  readonly fault: () => FileFault
}

/** Checks a file by its first bytes, so that a wrong type is rejected with the first chunk instead of the last. */
export function createFirstBytesCheck(
  { staging }: Pick<UploadDeps, 'staging'>,
  { upload, field }: { readonly upload: Pick<Upload, 'id' | 'file' | 'sniffedType'>; readonly field: FileField },
): FirstBytesCheck {
  let type = upload.sniffedType
  let fault: FileFault = { code: 'file-type-refused', message: '' }
  return {
    bytes: SNIFF_BYTES,
    isWanted: async () => {
      const judged = checkFirstBytes(fileOptionsOf(field), upload.file, await detectFileType(staging.pathOf(upload.id)))
      if (judged.ok) type = judged.value
      else fault = judged.fault
      return judged.ok
    },
    type: () => type,
    fault: () => fault,
  }
}
