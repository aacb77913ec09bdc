import type { ComponentType } from 'react'
import type { FieldKind } from '#domain/fields/field.ts'
import { IconAlignLeft } from '#web/kit/icons/icon-align-left.ts'
import { IconBraces } from '#web/kit/icons/icon-braces.ts'
import { IconCalendarClock } from '#web/kit/icons/icon-calendar-clock.ts'
import { IconCalendar } from '#web/kit/icons/icon-calendar.ts'
import { IconCircleDot } from '#web/kit/icons/icon-circle-dot.ts'
import { IconHash } from '#web/kit/icons/icon-hash.ts'
import { IconLetterT } from '#web/kit/icons/icon-letter-t.ts'
import { IconLink } from '#web/kit/icons/icon-link.ts'
import { IconListNumbers } from '#web/kit/icons/icon-list-numbers.ts'
import { IconMail } from '#web/kit/icons/icon-mail.ts'
import { IconPaperclip } from '#web/kit/icons/icon-paperclip.ts'
import { IconPhone } from '#web/kit/icons/icon-phone.ts'
import { IconProgress } from '#web/kit/icons/icon-progress.ts'
import { IconSquareCheck } from '#web/kit/icons/icon-square-check.ts'
import { IconTags } from '#web/kit/icons/icon-tags.ts'
import { IconTextSize } from '#web/kit/icons/icon-text-size.ts'
import { IconUser } from '#web/kit/icons/icon-user.ts'
import { IconWorld } from '#web/kit/icons/icon-world.ts'

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
  'auto-number': { label: 'Auto number', hint: 'Counts the records up from 1', Icon: IconListNumbers },
  json: { label: 'JSON', hint: 'Data of programs', Icon: IconBraces },
}
