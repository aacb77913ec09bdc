import type { SessionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export async function findMethods(db: Reader, id: SessionId): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('methods')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.methods.split(',')
}

export async function saveProof(
  db: Reader,
  id: SessionId,
  proof: { readonly provenAt: Date; readonly methods: readonly string[] },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_at: proof.provenAt.toISOString(), methods: proof.methods.join(',') })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}
