import type { FieldKind } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'

/** What each kind of field is called. */
export const KIND_LABELS: { readonly [Kind in FieldKind]: string } = {
  text: t('Text'),
  'long-text': t('Long text'),
  'rich-text': t('Rich text'),
  number: t('Number'),
  checkbox: t('Checkbox'),
  date: t('Date'),
  'date-time': t('Date and time'),
  select: t('Select'),
  'multi-select': t('Multi-select'),
  state: t('Status'),
  email: t('Email'),
  url: t('URL'),
  phone: t('Phone'),
  relation: t('Linked record'),
  user: t('People'),
  files: t('Files'),
  'auto-number': t('Autonumber'),
  json: t('JSON'),
}
