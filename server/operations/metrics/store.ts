import type { Reader } from '#server/platform/database/database.ts'

export type WorkCounts = {
  readonly openSessions: number
  readonly mails: { readonly waiting: number; readonly failed: number }
  readonly jobsRunning: number
  readonly imports: { readonly ready: number; readonly running: number; readonly undoing: number }
  readonly uploads: { readonly open: number; readonly committedBytes: number }
  readonly storage: { readonly usedBytes: number; readonly reservedBytes: number; readonly quarantinedBytes: number }
  readonly searchGaps: number
  readonly indexesBuilding: number
}

/** Counts sessions, jobs and other work in one statement. */
export async function countWork(db: Reader, now: Date): Promise<WorkCounts> {
  const at = now.toISOString()
  const mails = (state: string) => db.selectFrom('mails').where('state', '=', state)
  const imports = (state: string) => db.selectFrom('imports').where('state', '=', state)
  const uploads = db.selectFrom('uploads').where('state', '=', 'open')
  const row = await db
    .selectFrom('storage_usage')
    .select(['used', 'reserved'])
    .select(({ fn }) => [
      db
        .selectFrom('sessions')
        .where('ended_at', 'is', null)
        .where('ends_at', '>', at)
        .select(fn.countAll().as('count'))
        .as('open_sessions'),
      mails('waiting').select(fn.countAll().as('count')).as('mails_waiting'),
      mails('failed').select(fn.countAll().as('count')).as('mails_failed'),
      db.selectFrom('jobs').where('state', '=', 'running').select(fn.countAll().as('count')).as('jobs_running'),
      imports('ready').select(fn.countAll().as('count')).as('imports_ready'),
      imports('running').select(fn.countAll().as('count')).as('imports_running'),
      imports('undoing').select(fn.countAll().as('count')).as('imports_undoing'),
      db
        .selectFrom('blobs')
        .where('quarantined_at', 'is not', null)
        .select((sum) => sum.fn.sum('bytes').as('sum'))
        .as('quarantined'),
      uploads.select(fn.countAll().as('count')).as('uploads_open'),
      uploads.select((sum) => sum.fn.sum('committed').as('sum')).as('uploads_committed'),
      db
        .selectFrom('search_parts')
        .where('gap_from', 'is not', null)
        .select(fn.countAll().as('count'))
        .as('search_gaps'),
      db.selectFrom('indexes').where('state', '=', 'building').select(fn.countAll().as('count')).as('indexes_building'),
    ])
    .executeTakeFirstOrThrow()
  return {
    openSessions: Number(row.open_sessions),
    mails: { waiting: Number(row.mails_waiting), failed: Number(row.mails_failed) },
    jobsRunning: Number(row.jobs_running),
    imports: {
      ready: Number(row.imports_ready),
      running: Number(row.imports_running),
      undoing: Number(row.imports_undoing),
    },
    uploads: { open: Number(row.uploads_open), committedBytes: Number(row.uploads_committed ?? 0) },
    storage: {
      usedBytes: Number(row.used),
      reservedBytes: Number(row.reserved),
      quarantinedBytes: Number(row.quarantined ?? 0),
    },
    searchGaps: Number(row.search_gaps),
    indexesBuilding: Number(row.indexes_building),
  }
}
