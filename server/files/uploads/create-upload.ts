import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fileOptionsOf } from '#domain/fields/files.ts'
import { checkDeclaredFile } from '#domain/uploads/file-rules.ts'
import { MAX_OPEN_UPLOADS, type Upload, cleanFileName, cleanType, expiryFrom } from '#domain/uploads/upload.ts'
import { authorizeTarget, type UploadTargetInput } from './authorize-target.ts'
import { finishUpload } from './finish-upload.ts'
import { assertDiskSpace, assertRoom } from './assert-capacity.ts'
import { countOpenUploads, insertUpload } from './store.ts'
import type { UploadDeps } from './upload-deps.ts'

export type DeclaredUpload = {
  readonly name: string
  readonly type: string
  readonly bytes: number
  /** Whether a later chunk contains the file name, even for an empty file. */
  readonly isNamedLater?: boolean
}

/** Starts an upload. Rejects everything that can be rejected before the contents are known. */
export async function createUpload(
  deps: UploadDeps,
  actor: Actor,
  named: UploadTargetInput,
  said: DeclaredUpload,
): Promise<Upload> {
  const userId = userIdOf(actor)
  if (userId === null) throw new Problem('token-missing', 'Sign in to upload files.')
  const { target, field } = await authorizeTarget(deps, actor, named)
  const file = { name: cleanFileName(said.name), type: cleanType(said.type), bytes: said.bytes }
  const checked = checkDeclaredFile(fileOptionsOf(field), file)
  if (!checked.ok) throw new Problem(checked.fault.code, checked.fault.message)
  await assertDiskSpace(deps, file.bytes)

  const now = deps.clock()
  const upload: Upload = {
    id: deps.newId(),
    userId,
    target,
    file,
    committed: 0,
    sniffedType: null,
    state: 'open',
    createdAt: now.toISOString(),
    expiresAt: expiryFrom(now),
  }
  await deps.database.write(
    async (transaction) => {
      await insertUpload(transaction, upload)
      // Counted after the insert, which locks the usage row, so that concurrent requests are included.
      requireFewOpen(await countOpenUploads(transaction.db, userId))
      await assertRoom(transaction.db, { actor, file }, 'announcement')
    },
    { locksItself: true },
  )
  if (file.bytes > 0) return upload
  // An empty file is already complete.
  await deps.staging.empty(upload.id)
  return said.isNamedLater === true ? upload : finishUpload(deps, upload, field)
}

function requireFewOpen(open: number): void {
  if (open <= MAX_OPEN_UPLOADS) return
  throw new Problem(
    'too-many-requests',
    `You have ${MAX_OPEN_UPLOADS} unfinished uploads. Finish or remove some of them; unfinished uploads expire after a day.`,
    { retryAfterSeconds: 60 },
  )
}
