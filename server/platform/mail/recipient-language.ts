import { toLanguage, type Language } from '#domain/shared/language.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'

export async function languageOfUser(db: Reader, id: UserId): Promise<Language> {
  const row = await db.selectFrom('users').select('language').where('id', '=', id).executeTakeFirst()
  return toLanguage(row?.language) ?? 'en'
}
