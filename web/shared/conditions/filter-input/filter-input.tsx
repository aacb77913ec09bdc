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
import './filter-input.css'
import { isId } from '#domain/fields/relation.ts'
import { HueDot } from '#web/ui/dropdown/option.tsx'
import { t } from '#web/i18n/t.ts'
import { KIND_PRESENTATION } from '#web/shared/fields/kind-presentation.ts'
import './filter-input.css'

type SuggestionListProps = { readonly id: string; readonly completion: CompletionState }

/** What may come next in a filter that is being written. The keys are the field's, which keeps the focus. */
function SuggestionList({ id, completion: { options, isOpen, active, take } }: SuggestionListProps) {
  return (
    <ul id={`${id}-list`} className="filter-field-list" role="listbox" aria-label={t('Suggestions')} hidden={!isOpen}>
      {options.map((option, at) => (
        <Suggestion
          key={option.text}
          id={`${id}-${at}`}
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
  readonly option: CompletionOption
  readonly isActive: boolean
  readonly onTake: () => void
}

function Suggestion({ id, option, isActive, onTake }: SuggestionProps) {
  const { text, label, kind, hue } = option
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  // People are written by their ids, which tell nobody who is meant.
  const isByName = isId(text.slice(1, -1))
  const { Icon } = kind ? KIND_PRESENTATION[kind] : { Icon: undefined }
  return (
    <li
      ref={row}
      id={id}
      role="option"
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

/** Where the word or text that begins at a place ends. */
const endOfWord = (text: string, from: number): number =>
  from + (/^(?:"[^"]*"?|[\w.]+|\S)/.exec(text.slice(from))?.[0].length ?? 0)

type ErrorUnderlineProps = {
  readonly text: string
  readonly position: number | undefined
  readonly input: RefObject<HTMLInputElement | null>
}

/** The same text below the field, out of sight but for the line under a mistake; it goes along as the field scrolls. */
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

/** What is wrong with a text, and where. */
export type FilterTextError = { readonly message: string; readonly position?: number | undefined }

type FilterInputProps = {
  readonly label: string
  readonly text: string
  readonly onType: (text: string) => void
  readonly world: CompletionContext
  /** What is wrong with it. */
  readonly fault: FilterTextError | undefined
  readonly autoFocus?: boolean
  /** Enter, where it takes no offer. Answers whether it could be done. */
  readonly onEnter?: () => void
  /** Escape, where no list is open; answers whether there was something to give back. */
  readonly onGiveBack?: () => boolean
  /** The keyboard has gone elsewhere. */
  readonly onLeave?: () => void
}

/** How long the typing rests before a mistake is marked, in ms. */
const DEBOUNCE_MS = 500

/** Words of a program, which no browser shall mend. */
const AS_CODE = {
  className: 'filter-field-input',
  placeholder: 'status = "open" && amount >= 10',
  autoComplete: 'off',
  autoCapitalize: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

/** A filter as text, in one line: what may come next is offered, and a mistake is marked at its place. */
export function FilterInput(props: FilterInputProps) {
  const { label, text, onType, world, fault, autoFocus = false, onLeave } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const completion = useCompletion({ input, text, onType, world, isFilter: fault === undefined })
  const told = useAnnouncement(text, fault)
  const { isOpen, active } = completion
  return (
    <div className="filter-field">
      <div className="filter-field-box" data-wrong={told.fault !== undefined || undefined}>
        <ErrorUnderline text={text} position={told.fault?.position} input={input} />
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
          aria-invalid={told.fault !== undefined}
          aria-describedby={`${id}-fault`}
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          // A dialog around it shall not close by the Escape that closes the list.
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
          onKeyDown={(event) => pressKey(event, props, { completion, tell: told.now })}
          onBlur={() => {
            completion.close()
            told.now()
            onLeave?.()
          }}
        />
      </div>
      <p id={`${id}-fault`} className="filter-field-fault" role="status">
        {told.fault?.message}
      </p>
      <SuggestionList id={id} completion={completion} />
    </div>
  )
}

/** The mistake that is told: not while one types on, and none of an end one has not come to yet. */
function useAnnouncement(text: string, fault: FilterTextError | undefined) {
  const [toldOf, setToldOf] = useState(text)
  useEffect(() => {
    const isAtEnd = fault?.position !== undefined && fault.position >= text.trimEnd().length
    if (isAtEnd) return undefined
    const timer = setTimeout(() => setToldOf(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, fault?.position])
  return { fault: toldOf === text ? fault : undefined, now: () => setToldOf(text) }
}

type Keys = { readonly completion: CompletionState; readonly tell: () => void }

/** What a key does in the field, if it means more than typing. */
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

/** Applies what is typed; a mistake is marked for the next keys instead. */
function enter(input: HTMLInputElement, { text, fault, onEnter }: FilterInputProps): void {
  if (fault?.position !== undefined) input.setSelectionRange(fault.position, endOfWord(text, fault.position))
  onEnter?.()
}

/** A text of several lines is one line here. */
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
