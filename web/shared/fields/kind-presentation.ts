import type { ComponentType } from 'react'
import type { FieldKind } from '#domain/fields/field.ts'
import {
  IconAlignLeft,
  IconBraces,
  IconCalendar,
  IconCalendarClock,
  IconCircleDot,
  IconHash,
  IconLetterT,
  IconLink,
  IconListNumbers,
  IconPaperclip,
  IconPhone,
  IconProgress,
  IconSquareCheck,
  IconTags,
  IconTextSize,
  IconWorld,
} from '#web/ui/icons/general.ts'
import { IconMail, IconUser } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'

export type KindPresentation = {
  readonly label: string
  readonly hint: string
  readonly Icon: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
}

export const KIND_PRESENTATION: { readonly [Kind in FieldKind]: KindPresentation } = {
  text: { label: t('Text'), hint: t('One line: names, codes, short answers'), Icon: IconLetterT },
  'long-text': { label: t('Long text'), hint: t('Multiple lines of plain text'), Icon: IconAlignLeft },
  'rich-text': { label: t('Rich text'), hint: t('A document with headings, lists and links'), Icon: IconTextSize },
  number: { label: t('Number'), hint: t('Amounts, counts, measurements'), Icon: IconHash },
  checkbox: { label: t('Checkbox'), hint: t('Yes or no'), Icon: IconSquareCheck },
  date: { label: t('Date'), hint: t('A calendar date'), Icon: IconCalendar },
  'date-time': {
    label: t('Date and time'),
    hint: t('A date and time, shown in each person’s own time zone'),
    Icon: IconCalendarClock,
  },
  select: { label: t('Select'), hint: t('One option from a list, with colors'), Icon: IconCircleDot },
  'multi-select': { label: t('Multi-select'), hint: t('Several options from a list, with colors'), Icon: IconTags },
  state: {
    label: t('Status'),
    hint: t('The stage of a record in its workflow; one per collection'),
    Icon: IconProgress,
  },
  email: { label: t('Email'), hint: t('An email address'), Icon: IconMail },
  url: { label: t('URL'), hint: t('A link to a web page'), Icon: IconWorld },
  phone: { label: t('Phone'), hint: t('A phone number, searchable by its digits'), Icon: IconPhone },
  relation: { label: t('Linked record'), hint: t('Links to records in another collection'), Icon: IconLink },
  user: { label: t('People'), hint: t('One or more people in this workspace'), Icon: IconUser },
  files: { label: t('Files'), hint: t('Images, documents and other files'), Icon: IconPaperclip },
  'auto-number': {
    label: t('Autonumber'),
    hint: t('Numbers records automatically, starting at 1'),
    Icon: IconListNumbers,
  },
  json: { label: t('JSON'), hint: t('Structured data for integrations'), Icon: IconBraces },
}
