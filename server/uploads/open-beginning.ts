import { type FileFault, judgeBeginning } from '#domain/uploads/file-rules.ts'
import { TELLING_BYTES } from '#domain/uploads/file-types.ts'
import type { Upload } from '#domain/uploads/upload.ts'
import { type FileField, fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { gatherEvidence } from '#server/assets/gather-evidence.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** The beginning of a file on its way: looked at once, as soon as it is there. */
export type Beginning = {
  readonly bytes: number
  readonly isWanted: () => Promise<boolean>
  /** What the file looks like; null before its beginning is there. */
  readonly type: () => string | null
  /** Why it is not wanted. */
  readonly fault: () => FileFault
}

/** Judges a file by its first bytes, so that one of a wrong type is refused with its first chunk, not with its last. */
export function openBeginning(
  { staging }: Pick<UploadNeeds, 'staging'>,
  { upload, field }: { readonly upload: Pick<Upload, 'id' | 'file' | 'sniffedType'>; readonly field: FileField },
): Beginning {
  let type = upload.sniffedType
  let fault: FileFault = { code: 'file-type-refused', message: '' }
  return {
    bytes: TELLING_BYTES,
    isWanted: async () => {
      const judged = judgeBeginning(fileOptionsOf(field), upload.file, await gatherEvidence(staging.pathOf(upload.id)))
      if (judged.ok) type = judged.value
      else fault = judged.fault
      return judged.ok
    },
    type: () => type,
    fault: () => fault,
  }
}
