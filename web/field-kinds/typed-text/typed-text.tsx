import type { MouseEvent } from 'react'
import { phoneDigits } from '#domain/shared/text.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { isSafeUrl } from '#web/ui/text/link-url.ts'
import '../field-kinds.css'
import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { TextOptionsForm } from '#web/field-kinds/text/text.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

type CellLinkProps = {
  readonly href: string
  readonly text: string
  /** Offset of the displayed excerpt within the value. */
  readonly from?: number
}

/** A value as a link; an unsafe URL is shown as text. */
function CellLink({ href, text, from = 0 }: CellLinkProps) {
  const shown = <Highlighted text={text} from={from} />
  if (!isSafeUrl(href)) return shown
  const isPage = href.startsWith('http')
  // Prevents the click from also opening the record, because the row is a link.
  const stay = (event: MouseEvent) => event.stopPropagation()
  return (
    <a
      href={href}
      className="cell-link"
      tabIndex={-1}
      onClick={stay}
      {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {shown}
    </a>
  )
}

export const mailtoHref = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** Converts a phone number to a `tel:` link, omitting the extension. */
export const telHref = (phone: string): string => `tel:${phoneDigits(phone.split('#')[0] ?? phone)}`

/** Shortens a URL by removing its scheme, `www.` and trailing slash. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

function EmailCell({ value }: CellProps<'email'>) {
  return value === null ? null : <CellLink href={mailtoHref(value)} text={value} />
}

export const emailUi: FieldKindUi<'email'> = {
  ...SHORT_VALUE,
  Cell: EmailCell,
  Input: lazyComponent(() => import('./input.tsx'), 'EmailInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'EmailCellEditor'),
  columnWidthPx: 220,
}

function UrlCell({ value }: CellProps<'url'>) {
  if (value === null) return null
  const short = shortUrl(value)
  return <CellLink href={value} text={short} from={value.indexOf(short)} />
}

export const urlUi: FieldKindUi<'url'> = {
  ...SHORT_VALUE,
  Cell: UrlCell,
  Input: lazyComponent(() => import('./input.tsx'), 'UrlInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'UrlCellEditor'),
  columnWidthPx: 220,
}

function PhoneCell({ value }: CellProps<'phone'>) {
  return value === null ? null : <CellLink href={telHref(value)} text={value} />
}

export const phoneUi: FieldKindUi<'phone'> = {
  ...SHORT_VALUE,
  Cell: PhoneCell,
  Input: lazyComponent(() => import('./input.tsx'), 'PhoneInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'PhoneCellEditor'),
  columnWidthPx: 160,
}

/** In characters; longer text would slow down the page and not fit in a cell. */
const MAX_JSON_LENGTH = 300

const toSingleLine = (text: string): string =>
  text
    .slice(0, MAX_JSON_LENGTH * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_JSON_LENGTH)

function JsonCell({ value }: CellProps<'json'>) {
  return value === null ? null : <code className="cell-code">{toSingleLine(JSON.stringify(value))}</code>
}

export const jsonUi: FieldKindUi<'json'> = {
  ...SHORT_VALUE,
  Cell: JsonCell,
  Input: lazyComponent(() => import('./input.tsx'), 'JsonInput'),
  defaultOptions: {},
  CellEditor: null,
  columnWidthPx: 200,
  isWide: true,
  canBePreset: false,
}
