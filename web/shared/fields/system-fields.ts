import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'

const about = (name: string, label: string, required = true) => ({
  id: name,
  name,
  label,
  required,
  unique: false,
  default: null,
})

/** When a record was made and last changed, and by whom: every record has these beside its collection's own fields. */
export const RECORD_FIELDS: readonly Field[] = [
  { ...about('createdAt', t('Created')), kind: 'date-time', options: {} },
  { ...about('updatedAt', t('Updated')), kind: 'date-time', options: {} },
  { ...about('createdBy', t('Created by'), false), kind: 'user', options: { many: false } },
  { ...about('updatedBy', t('Updated by'), false), kind: 'user', options: { many: false } },
]
