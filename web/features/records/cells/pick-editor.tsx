import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { KIT_TEXTS } from '#web/kit/kit-texts.ts'
import { foldForSearch } from '#web/kit/dropdown/filter-options.ts'
import type { DropdownOption } from '#web/kit/dropdown/option.tsx'
import { type OptionSearch, useOptionSearch } from '#web/kit/dropdown/use-option-search.ts'
import { IconCheck } from '#web/kit/icons/icon-check.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { EditorFault } from './editor-fault.tsx'
import { canBeEmptied } from './writable-cells.ts'
import { useKeptValue } from './use-kept-value.ts'

type PickEditorProps = CellEditorProps & {
  /** Every option, where all are known here. */
  readonly options?: readonly DropdownOption[]
  /** Finds options, where only the server knows them. */
  readonly search?: OptionSearch
  readonly isMany: boolean
  readonly start: readonly DropdownOption[]
  /** The value of the field when these are chosen. */
  readonly valueOf: (chosen: readonly DropdownOption[]) => unknown
  readonly renderOption: (option: DropdownOption) => ReactNode
}

/** The line that empties the cell. */
const NOTHING: DropdownOption = { value: '', label: 'Nothing' }

/** Chooses among options with the keyboard in one place: typing narrows, the arrows walk, Enter takes. */
export function PickEditor(props: PickEditorProps) {
  const { field, editor, isMany, valueOf } = props
  const [chosen, setChosen] = useState(props.start)
  const { fault, keep } = useKeptValue(props, () => ({ value: valueOf(chosen) }))
  const list = usePickList(props, chosen)
  const { text, options, at } = list
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => inputRef.current?.focus({ preventScroll: true }), [])

  const take = (option: DropdownOption, move: 'down' | 'stay') => {
    if (isMany) {
      setChosen(toggled(chosen, option))
      return list.type('')
    }
    const next = option === NOTHING ? [] : [option]
    setChosen(next)
    if (keep(valueOf(next))) editor.onDone(move)
  }
  const press = (event: KeyboardEvent) => {
    const option = options[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      list.walk(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Backspace' && text === '' && isMany) setChosen(chosen.slice(0, -1))
    else if (event.key === 'Enter' && !event.shiftKey && (option || list.isSearching)) {
      event.preventDefault()
      // What fits what was typed is still on its way: it is taken when it is there.
      if (list.isSearching && text.trim() !== '') setHurried(true)
      else if (option) take(option, 'down')
    }
  }
  const [isHurried, setHurried] = useState(false)
  useEffect(() => {
    if (!isHurried || list.isSearching) return
    setHurried(false)
    const option = options[0]
    if (option) take(option, 'down')
  })
  return (
    <div className="cell-editor cell-editor-pick">
      {isMany && chosen.length > 0 && (
        <div className="cell-editor-chosen">
          {chosen.map((option) => (
            <button key={option.value} type="button" tabIndex={-1} aria-label={`Remove ${option.label}`} onClick={() => setChosen(toggled(chosen, option))}>
              {props.renderOption(option)}
            </button>
          ))}
        </div>
      )}
      <input
        ref={inputRef}
        className="cell-editor-text"
        role="combobox"
        aria-label={field.label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        placeholder={chosen.length > 0 && !isMany ? (chosen[0]?.label ?? '') : 'Type to find'}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => list.type(currentTarget.value)}
        onKeyDown={press}
      />
      <div role="listbox" id={`${id}-list`} aria-label={field.label} aria-multiselectable={isMany} className="cell-editor-list">
        {options.map((option, place) => (
          <Option
            key={option.value}
            id={`${id}-${place}`}
            isActive={place === at}
            isChosen={chosen.some(({ value }) => value === option.value)}
            onTake={() => take(option, 'stay')}
          >
            {option === NOTHING ? <span className="cell-editor-nothing">Nothing</span> : props.renderOption(option)}
          </Option>
        ))}
        {options.length === 0 && <p className="cell-editor-none">{list.emptyText}</p>}
      </div>
      <EditorFault id={`${id}-fault`} fault={fault} />
    </div>
  )
}

type OptionProps = {
  readonly id: string
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly onTake: () => void
  readonly children: ReactNode
}

function Option({ id, isActive, isChosen, onTake, children }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      data-active={isActive || undefined}
      ref={(option) => void (isActive && option?.scrollIntoView({ block: 'nearest' }))}
      className="cell-editor-option"
      // The keyboard stays where one types.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {children}
      {isChosen && <IconCheck size={14} stroke={2} aria-hidden />}
    </div>
  )
}

const toggled = (chosen: readonly DropdownOption[], option: DropdownOption): readonly DropdownOption[] =>
  chosen.some(({ value }) => value === option.value)
    ? chosen.filter(({ value }) => value !== option.value)
    : [...chosen, option]

const findNothing: OptionSearch = () => Promise.resolve([])

/** What can be picked for what is typed, and which of it Enter would take. */
function usePickList({ options: known, search = findNothing, editor, field, isMany, start }: PickEditorProps, chosen: readonly DropdownOption[]) {
  const [text, setText] = useState(editor.seed ?? '')
  const [walked, setWalked] = useState<number>()
  const asked = useOptionSearch(search, text, known === undefined)
  const fits = ({ label }: DropdownOption) => foldForSearch(label).includes(foldForSearch(text))
  const found = known ? { status: 'found' as const, options: known.filter(fits) } : asked
  const hasNothing = !isMany && text.trim() === '' && start.length > 0 && canBeEmptied(field)
  const options = hasNothing ? [...found.options, NOTHING] : found.options
  // Of several Enter takes none unless one typed or walked: then it ends the edit.
  const first = text.trim() === '' ? (isMany ? -1 : options.findIndex(({ value }) => value === chosen[0]?.value)) : 0
  return {
    text,
    options,
    at: Math.min(walked ?? first, options.length - 1),
    type: (next: string) => {
      setText(next)
      setWalked(undefined)
    },
    walk: (by: 1 | -1) => {
      const from = walked ?? first
      setWalked(options.length === 0 ? undefined : (Math.max(from, by > 0 ? -1 : 0) + by + options.length) % options.length)
    },
    isSearching: found.status === 'searching',
    emptyText: found.status === 'searching' ? KIT_TEXTS.dropdown.loading : KIT_TEXTS.nothingFound,
  }
}
