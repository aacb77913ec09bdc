import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { CompletionContext, CompletionOption } from './completion.ts'
import { type CompletionState, useCompletion } from './use-completion.ts'
import './filter-input.css'
import { isId } from '#domain/fields/relation.ts'
import { HueDot } from '#web/ui/dropdown/option.tsx'
import { type OptionPosition, optionPosition } from '#web/ui/dropdown/option-list.ts'
import { t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'

type SuggestionListProps = { readonly id: string; readonly completion: CompletionState }

/** Focus stays in the input, which handles the keys. */
function SuggestionList({ id, completion: { options, total, isOpen, active, take } }: SuggestionListProps) {
  return (
    <ul id={`${id}-list`} className="filter-field-list" role="listbox" aria-label={t('Suggestions')} hidden={!isOpen}>
      {options.map((option, at) => (
        <Suggestion
          key={option.text}
          id={`${id}-${at}`}
          position={optionPosition(at, total)}
          option={option}
          isActive={at === active}
          onTake={() => take(option)}
        />
      ))}
    </ul>
  )
}

type SuggestionProps = {
  readonly id: string
  readonly position: OptionPosition
  readonly option: CompletionOption
  readonly isActive: boolean
  readonly onTake: () => void
}

function Suggestion({ id, position, option, isActive, onTake }: SuggestionProps) {
  const { text, label, kind, hue } = option
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  // Users are stored by id, but their names are shown.
  const isByName = isId(text.slice(1, -1))
  const { Icon } = kind ? KIND_TRAITS[kind] : { Icon: undefined }
  return (
    <li
      ref={row}
      id={id}
      role="option"
      {...position}
      aria-selected={isActive}
      className="filter-field-option"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {Icon && <Icon size={14} stroke={1.5} aria-hidden />}
      {hue !== undefined && <HueDot hue={hue} />}
      {isByName ? label : <code>{text}</code>}
      {label !== undefined && !isByName && <span>{label}</span>}
    </li>
  )
}

const endOfWord = (text: string, from: number): number =>
  from + (/^(?:"[^"]*"?|[\w.]+|\S)/.exec(text.slice(from))?.[0].length ?? 0)

type ErrorUnderlineProps = {
  readonly text: string
  readonly position: number | undefined
  readonly input: RefObject<HTMLInputElement | null>
}

/** A hidden copy of the text that underlines the error and scrolls with the input. */
function ErrorUnderline({ text, position, input }: ErrorUnderlineProps) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const field = input.current
    if (!field || position === undefined) return undefined
    const follow = () => {
      if (layer.current) layer.current.scrollLeft = field.scrollLeft
    }
    follow()
    field.addEventListener('scroll', follow)
    return () => field.removeEventListener('scroll', follow)
  }, [input, position, text])
  if (position === undefined) return null
  const end = endOfWord(text, position)
  return (
    <div ref={layer} className="filter-field-mark" aria-hidden>
      {text.slice(0, position)}
      <mark>{end > position ? text.slice(position, end) : ' '}</mark>
      {text.slice(end)}
    </div>
  )
}

export type FilterTextError = { readonly message: string; readonly position?: number | undefined }

type FilterInputProps = {
  readonly label: string
  readonly text: string
  readonly onType: (text: string) => void
  readonly world: CompletionContext
  readonly fault: FilterTextError | undefined
  readonly autoFocus?: boolean
  /** Called when Enter is pressed with no suggestion selected. */
  readonly onEnter?: () => void
  /** Called when Escape is pressed while the list is closed. Returns whether something was restored. */
  readonly onGiveBack?: () => boolean
  readonly onLeave?: () => void
}

/** Pause in typing before an error is marked. */
const DEBOUNCE_MS = 500

/** Disables autocorrection and similar features. */
const AS_CODE = {
  className: 'filter-field-input',
  placeholder: 'status = "open" && amount >= 10',
  autoComplete: 'off',
  autoCapitalize: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

/** A single-line filter input with suggestions and error marking. */
export function FilterInput(props: FilterInputProps) {
  const { label, text, onType, world, fault, autoFocus = false, onLeave } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const completion = useCompletion({ input, text, onType, world, isFilter: fault === undefined })
  const reported = useAnnouncement(text, fault)
  const { isOpen, active } = completion
  return (
    <div className="filter-field">
      <div className="filter-field-box" data-wrong={reported.fault !== undefined || undefined}>
        <ErrorUnderline text={text} position={reported.fault?.position} input={input} />
        <input
          ref={input}
          {...AS_CODE}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          aria-invalid={reported.fault !== undefined}
          aria-describedby={`${id}-fault`}
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          // Escape closes only the list, not the dialog.
          data-mantine-stop-propagation={isOpen || undefined}
          value={text}
          onChange={({ currentTarget }) => {
            onType(currentTarget.value)
            completion.follow()
          }}
          onSelect={completion.follow}
          onFocus={() => {
            completion.open()
            completion.follow()
          }}
          onPaste={(event) => pasteInOneLine(event, completion.follow, onType)}
          onKeyDown={(event) => pressKey(event, props, { completion, tell: reported.now })}
          onBlur={() => {
            completion.close()
            reported.now()
            onLeave?.()
          }}
        />
      </div>
      <p id={`${id}-fault`} className="filter-field-fault" role="status">
        {reported.fault?.message}
      </p>
      <SuggestionList id={id} completion={completion} />
    </div>
  )
}

/** Announces errors only after a pause in typing, and never at the end of the text, where it may be incomplete. */
function useAnnouncement(text: string, fault: FilterTextError | undefined) {
  const [reportedOf, setReportedOf] = useState(text)
  useEffect(() => {
    const isAtEnd = fault?.position !== undefined && fault.position >= text.trimEnd().length
    if (isAtEnd) return undefined
    const timer = setTimeout(() => setReportedOf(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, fault?.position])
  return { fault: reportedOf === text ? fault : undefined, now: () => setReportedOf(text) }
}

type Keys = { readonly completion: CompletionState; readonly tell: () => void }

function pressKey(event: KeyboardEvent<HTMLInputElement>, props: FilterInputProps, { completion, tell }: Keys): void {
  const { isOpen, active, options } = completion
  const option = options[active]
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      event.preventDefault()
      if (isOpen) completion.step(event.key === 'ArrowDown' ? 1 : -1)
      else completion.open()
      return
    case 'Enter':
      event.preventDefault()
      if (option) return completion.take(option)
      tell()
      return enter(event.currentTarget, props)
    case 'Escape':
      if (isOpen) completion.close()
      else if (!props.onGiveBack?.()) return
      event.preventDefault()
      return
    default:
  }
}

/** Applies the text; if it is invalid, selects the error. */
function enter(input: HTMLInputElement, { text, fault, onEnter }: FilterInputProps): void {
  if (fault?.position !== undefined) input.setSelectionRange(fault.position, endOfWord(text, fault.position))
  onEnter?.()
}

/** Joins pasted lines into one. */
function pasteInOneLine(
  event: ClipboardEvent<HTMLInputElement>,
  follow: () => void,
  onType: (text: string) => void,
): void {
  const pasted = event.clipboardData.getData('text/plain')
  if (!/[\r\n]/.test(pasted)) return
  event.preventDefault()
  const input = event.currentTarget
  input.setRangeText(
    pasted.replaceAll(/\s*[\r\n]+\s*/g, ' '),
    input.selectionStart ?? 0,
    input.selectionEnd ?? 0,
    'end',
  )
  onType(input.value)
  follow()
}
