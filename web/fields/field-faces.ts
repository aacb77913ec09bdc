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
  IconMail,
  IconPaperclip,
  IconPhone,
  IconProgress,
  IconSquareCheck,
  IconTags,
  IconTextSize,
  IconUser,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { FieldKind } from '#domain/fields/field.ts'

/** How a kind presents itself where fields are chosen and listed. */
export type FieldFace = {
  readonly label: string
  readonly hint: string
  readonly Icon: ComponentType<{ readonly size?: number; readonly stroke?: number; readonly 'aria-hidden'?: boolean }>
}

/** The face of every kind; complete by type. */
export const FIELD_FACES: { readonly [Kind in FieldKind]: FieldFace } = {
  text: { label: 'Text', hint: 'One line: names, codes, short answers', Icon: IconLetterT },
  'long-text': { label: 'Long text', hint: 'Plain text of several lines', Icon: IconAlignLeft },
  'rich-text': { label: 'Rich text', hint: 'A document with headings, lists and links', Icon: IconTextSize },
  number: { label: 'Number', hint: 'Amounts, counts, measurements', Icon: IconHash },
  checkbox: { label: 'Checkbox', hint: 'Yes or no', Icon: IconSquareCheck },
  date: { label: 'Date', hint: 'A day in the calendar', Icon: IconCalendar },
  'date-time': { label: 'Date and time', hint: 'A moment, shown in each reader’s own zone', Icon: IconCalendarClock },
  select: { label: 'Select', hint: 'One of a list of choices with colours', Icon: IconCircleDot },
  'multi-select': { label: 'Multi-select', hint: 'Several of a list of choices with colours', Icon: IconTags },
  state: {
    label: 'State',
    hint: 'Where a record stands on its way; each collection has one at most',
    Icon: IconProgress,
  },
  email: { label: 'E-mail', hint: 'An address to write to', Icon: IconMail },
  url: { label: 'Web address', hint: 'A page on the web', Icon: IconWorld },
  phone: { label: 'Telephone', hint: 'A number to call, found by its digits', Icon: IconPhone },
  relation: { label: 'Relation', hint: 'Points at records of a collection', Icon: IconLink },
  user: { label: 'People', hint: 'One or several people of this workspace', Icon: IconUser },
  files: { label: 'Files', hint: 'Pictures, documents, anything', Icon: IconPaperclip },
  'auto-number': { label: 'Number by itself', hint: 'Counts the records up from 1', Icon: IconListNumbers },
  json: { label: 'JSON', hint: 'Data of programs', Icon: IconBraces },
}
