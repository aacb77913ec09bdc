import type { Readable } from 'node:stream'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Chunk, judgeChunk } from '#domain/uploads/judge-chunk.ts'
import { cleanFileName, NAMELESS, type Upload } from '#domain/uploads/upload.ts'
import { expiryFrom } from '#domain/uploads/upload-expiry.ts'
import { getOwnUpload, noSuchUpload, type OwnUpload, uploadGone } from './find-upload.ts'
import { finishUpload } from './finish-upload.ts'
import { commitOffset, findUpload, renameUpload } from './store.ts'
import type { Turn } from './turns.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** A chunk on its way in. */
export type ArrivingChunk = Chunk & {
  readonly body: Readable
  /** Whether what came before the sender broke off is kept (tus), or the chunk is taken as a whole or not (FilePond). */
  readonly keepsPart: boolean
  /** What the file is called, where its sender says so only now. */
  readonly name?: string | undefined
}

/** How long a sender may be silent, in ms. Networks that are slower than this have broken off without saying so. */
const SILENCE_MS = 30_000

/** The same when somebody else wants to go on with this upload: most likely the same sender, on a new connection. */
const SILENCE_WHEN_WANTED_MS = 1000

/**
 * Story: THE ONE PATH BY WHICH BYTES ENTER. Decides anew, waits for its turn, judges the place, stores what comes and
 * writes down how far the file is safe; with the last byte the upload becomes a file.
 */
export async function receiveChunk(
  needs: UploadNeeds,
  actor: Actor,
  id: string,
  chunk: ArrivingChunk,
): Promise<Upload> {
  const { field } = await getOwnUpload(needs, actor, id)
  return needs.uploadTurns.take(id, async (turn) => {
    const upload = await findUpload(needs.database.read, id)
    if (upload === undefined) throw noSuchUpload()
    const skip = placeOf(upload, chunk, needs.clock())
    if (skip === 'already-stored') return finishIfComplete(needs, { upload, field })
    const named = await nameUpload(needs, upload, chunk.name)
    const stored = await storeChunk(needs, named, { ...chunk, skip }, turn)
    return finishIfComplete(needs, { upload: stored, field })
  })
}

/** How many leading bytes to leave out; or the problem with the chunk's place. */
function placeOf(upload: Upload, chunk: ArrivingChunk, now: Date): number | 'already-stored' {
  const verdict = judgeChunk(upload, chunk, now)
  switch (verdict.type) {
    case 'accept':
      return verdict.skip
    case 'already-stored':
      return verdict.type
    case 'wrong-offset':
      throw new Problem(
        'upload-offset-wrong',
        `The upload has ${verdict.committed} bytes, and this chunk begins at ${chunk.offset}. Ask where to go on.`,
        { extra: { offset: verdict.committed } },
      )
    case 'too-large':
      throw tooLong(upload)
    case 'gone':
      throw uploadGone()
  }
}

const tooLong = ({ file }: Upload): Problem =>
  new Problem('too-large', `The file was announced with ${file.bytes} bytes, and more than that came.`)

/** FilePond tells the name with the chunks only; the first one that does gives it. */
async function nameUpload(needs: UploadNeeds, upload: Upload, said: string | undefined): Promise<Upload> {
  if (said === undefined || upload.file.name !== NAMELESS || upload.state !== 'open') return upload
  const name = cleanFileName(said)
  await needs.database.write((transaction) => renameUpload(transaction, upload.id, name))
  return { ...upload, file: { ...upload.file, name } }
}

type PlacedChunk = ArrivingChunk & { readonly skip: number }

async function storeChunk(needs: UploadNeeds, upload: Upload, chunk: PlacedChunk, turn: Turn): Promise<Upload> {
  // Nothing is missing: this is the empty chunk after the last one, or the last one again.
  if (upload.committed === upload.file.bytes) return upload
  const { id, committed } = upload
  const hash = needs.hashes.at(id, committed)
  const commit = async (offset: number): Promise<Upload> => {
    const expiresAt = expiryFrom(needs.clock())
    await needs.database.write((transaction) => commitOffset(transaction, id, { committed: offset, expiresAt }))
    return { ...upload, committed: offset, expiresAt }
  }

  const taken = await needs.staging.append(id, chunk.body, {
    offset: committed,
    skip: chunk.skip,
    size: upload.file.bytes,
    onBytes: (bytes) => void hash?.update(bytes),
    patienceMs: () => (turn.isWanted() ? SILENCE_WHEN_WANTED_MS : SILENCE_MS),
    ...(chunk.keepsPart && { onSafe: async (offset: number) => void (await commit(offset)) }),
  })
  if (taken.ended === 'lost') throw uploadGone()
  if (taken.ended === 'too-long') throw tooLong(upload)
  const isKept = taken.ended === 'complete' || chunk.keepsPart
  if (!isKept || taken.offset === committed) return afterwards(upload, taken.ended)

  const stored = await commit(taken.offset)
  if (hash !== undefined) needs.hashes.keep(id, taken.offset, hash)
  return afterwards(stored, taken.ended)
}

/** Nobody reads the answer to a chunk that broke off; saying so ends the request. */
function afterwards(upload: Upload, ended: 'complete' | 'cut'): Upload {
  if (ended === 'complete' || upload.committed === upload.file.bytes) return upload
  throw new Problem('invalid-upload', 'The connection ended before the chunk was complete. Ask where to go on.')
}

const finishIfComplete = (needs: UploadNeeds, { upload, field }: OwnUpload): Promise<Upload> | Upload =>
  upload.state === 'open' && upload.committed === upload.file.bytes ? finishUpload(needs, upload, field) : upload
