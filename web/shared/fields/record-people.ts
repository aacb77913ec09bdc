import type { PersonBody, RecordBody } from '#api/records.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { t } from '#web/i18n/t.ts'

/** What a user is called; one who no longer exists has no name. */
export const personName = (name: string | undefined): string => name || t('Deleted user')

/** Who made or last changed a record; the name is empty where the answer names no users. Null: the program itself. */
export function personIn(record: RecordBody, column: 'createdBy' | 'updatedBy'): PersonBody | null {
  const id = record[column]
  if (id === null) return null
  const me = sessionState.snapshot().user
  const name = record.people?.[id] ?? (me?.id === id ? me.name : undefined)
  return { id, name: record.people ? personName(name) : (name ?? '') }
}
