import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { isCreateOption, normalizeForSearch, type OptionPosition } from '#web/ui/dropdown/option-list.ts'
import {
  type CreateOption,
  createOptions,
  cutOptionsText,
  type DropdownOption,
  foundPosition,
  NO_OPTIONS,
  noOptionsText,
  type OptionSearch,
  useOptionSearch,
} from '#web/ui/dropdown/option.tsx'
import { IconCheck } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { EditorError, useEditorValue } from './editor-value.tsx'
import './cell-editor.css'
import { canBeCleared } from '#web/shared/fields/editable-cells.ts'

type DropdownEditorProps = CellEditorProps & {
  /** All options; undefined if the server searches them. */
  readonly options?: readonly DropdownOption[]
  readonly search?: OptionSearch
  readonly onCreate?: CreateOption | undefined
  readonly isMany: boolean
  readonly start: readonly DropdownOption[]
  readonly toValue: (chosen: readonly DropdownOption[]) => unknown
  readonly renderOption: (option: DropdownOption) => ReactNode
}

/** Clears the cell. */
const NOTHING: DropdownOption = { value: '', label: t('None') }

/** A combobox: typing filters, the arrow keys move, Enter selects. */
export function DropdownEditor(props: DropdownEditorProps) {
  const { field, isMany, start, renderOption } = props
  const list = useOptionList(props)
  const { chosen, toggle, take, create, fault } = useChosen(props, list)
  const { text, options, at } = list
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => inputRef.current?.focus({ preventScroll: true }), [])
  const takeAndGoOn = (option: DropdownOption, move: 'down' | 'stay') => {
    if (isCreateOption(option)) return void create(text.trim(), move)
    take(option, move)
    list.type('')
  }
  const press = useDropdownKeys(list, { takeAndGoOn, takeBack: () => toggle(isMany ? chosen.at(-1) : undefined) })
  return (
    <div className="cell-editor cell-editor-pick">
      {isMany && <Chosen chosen={chosen} onRemove={toggle} renderOption={renderOption} />}
      <input
        ref={inputRef}
        className="cell-editor-text"
        role="combobox"
        aria-label={field.label}
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        placeholder={isMany ? t('Type to search') : (start[0]?.label ?? t('Type to search'))}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => list.type(currentTarget.value)}
        onKeyDown={press}
      />
      {options.length === 0 ? (
        <p role="status" className="cell-editor-list cell-editor-none">
          {list.emptyText}
        </p>
      ) : (
        <Options {...{ id, list, chosen, isMany, renderOption }} label={field.label} onTake={takeAndGoOn} />
      )}
      <div className="option-cut" role="status">
        {list.cutText}
      </div>
      <EditorError id={`${id}-fault`} fault={fault} />
    </div>
  )
}

function useChosen(props: DropdownEditorProps, { text, type, options, at, isSearching, emptyText }: OptionList) {
  const { editor, isMany, toValue } = props
  const [chosen, setChosen] = useState(props.start)
  const { fault, keep } = useEditorValue(props, () => {
    // Leaving the editor selects the option that matches the typed text.
    const found = text.trim() === '' ? undefined : options[at]
    const typed = found && !isCreateOption(found) ? found : undefined
    if (text.trim() !== '' && (isSearching || !typed)) return { fault: emptyText }
    if (!typed) return { value: toValue(chosen) }
    return { value: toValue(isMany ? withOption(chosen, typed) : [typed]) }
  })
  const toggle = (option: DropdownOption | undefined): void => {
    if (option) setChosen(toggled(chosen, option))
  }
  const take = (option: DropdownOption, move: 'down' | 'stay') => {
    if (isMany) return toggle(option)
    const next = option === NOTHING ? [] : [option]
    setChosen(next)
    if (keep(toValue(next))) editor.onDone(move)
  }
  const latest = useRef(take)
  useLayoutEffect(() => {
    latest.current = take
  })
  const isCreating = useRef(false)
  const create = async (title: string, move: 'down' | 'stay') => {
    if (isCreating.current) return
    isCreating.current = true
    const option = await props.onCreate?.(title).finally(() => {
      isCreating.current = false
    })
    if (!option) return
    type('')
    latest.current(option, move)
  }
  return { chosen, fault, toggle, take, create }
}

const withOption = (chosen: readonly DropdownOption[], option: DropdownOption): readonly DropdownOption[] =>
  chosen.some(({ value }) => value === option.value) ? chosen : [...chosen, option]

const toggled = (chosen: readonly DropdownOption[], option: DropdownOption): readonly DropdownOption[] =>
  chosen.some(({ value }) => value === option.value)
    ? chosen.filter(({ value }) => value !== option.value)
    : [...chosen, option]

type DropdownKeys = {
  readonly takeAndGoOn: (option: DropdownOption, move: 'down') => void
  readonly takeBack: () => void
}

/** If Enter is pressed during a search, the first result is selected when it arrives. */
function useDropdownKeys(list: OptionList, { takeAndGoOn, takeBack }: DropdownKeys) {
  const { options, at, text, isSearching, walk } = list
  const [isHurried, setHurried] = useState(false)
  const latest = useRef(takeAndGoOn)
  useLayoutEffect(() => {
    latest.current = takeAndGoOn
  })
  useEffect(() => {
    if (!isHurried || isSearching) return
    setHurried(false)
    const [first] = options
    // Enter pressed before results arrive never creates an option.
    if (first && !isCreateOption(first)) latest.current(first, 'down')
  }, [isHurried, isSearching, options])

  const enter = (event: KeyboardEvent) => {
    const option = options[at]
    const mustWait = isSearching && text.trim() !== ''
    if (event.shiftKey || (!option && !mustWait)) return
    event.preventDefault()
    if (mustWait) setHurried(true)
    else if (option) takeAndGoOn(option, 'down')
  }
  return (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      walk(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Backspace' && text === '') takeBack()
    else if (event.key === 'Enter') enter(event)
  }
}

type ChosenProps = {
  readonly chosen: readonly DropdownOption[]
  readonly onRemove: (option: DropdownOption) => void
  readonly renderOption: (option: DropdownOption) => ReactNode
}

function Chosen({ chosen, onRemove, renderOption }: ChosenProps) {
  if (chosen.length === 0) return null
  return (
    <div className="cell-editor-chosen">
      {chosen.map((option) => (
        <button
          key={option.value}
          type="button"
          tabIndex={-1}
          aria-label={t('Remove {label}', { label: option.label })}
          // Keeps the focus in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onRemove(option)}
        >
          {renderOption(option)}
        </button>
      ))}
    </div>
  )
}

type OptionsProps = Pick<DropdownEditorProps, 'isMany' | 'renderOption'> & {
  readonly id: string
  readonly label: string
  readonly list: OptionList
  readonly chosen: readonly DropdownOption[]
  readonly onTake: (option: DropdownOption, move: 'stay') => void
}

function Options({ id, label, list, chosen, isMany, renderOption, onTake }: OptionsProps) {
  return (
    <div role="listbox" id={`${id}-list`} aria-label={label} aria-multiselectable={isMany} className="cell-editor-list">
      {list.options.map((option, place) => (
        <Option
          key={option.value}
          id={`${id}-${place}`}
          position={list.positionOf(place)}
          isActive={place === list.at}
          isChosen={chosen.some(({ value }) => value === option.value)}
          onTake={() => onTake(option, 'stay')}
        >
          {option === NOTHING || isCreateOption(option) ? (
            <span className="cell-editor-nothing">{option.label}</span>
          ) : (
            renderOption(option)
          )}
        </Option>
      ))}
    </div>
  )
}

type OptionProps = {
  readonly id: string
  readonly position: OptionPosition
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly onTake: () => void
  readonly children: ReactNode
}

function Option({ id, position, isActive, isChosen, onTake, children }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      {...position}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      ref={(option) => void (isActive && option?.scrollIntoView({ block: 'nearest' }))}
      className="cell-editor-option"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {children}
      {isChosen && <IconCheck size={14} stroke={2} aria-hidden />}
    </div>
  )
}

const noSearch: OptionSearch = () => Promise.resolve(NO_OPTIONS)

type OptionList = ReturnType<typeof useOptionList>

/** Options that match the text, and the one that Enter selects. */
function useOptionList(props: DropdownEditorProps) {
  const { options: known, search = noSearch, editor, field, isMany, start } = props
  const [text, setText] = useState(editor.seed ?? '')
  const [walked, setWalked] = useState<number>()
  const requested = useOptionSearch(search, text, known === undefined)
  const fits = ({ label }: DropdownOption) => normalizeForSearch(label).includes(normalizeForSearch(text))
  const fitting = known?.filter(fits)
  const found = fitting ? { status: 'found' as const, options: fitting, total: fitting.length } : requested
  const isBare = text.trim() === ''
  const hasNothing = !isMany && isBare && start.length > 0 && canBeCleared(field)
  const creatable = props.onCreate ? createOptions(found, text) : []
  const options = [...found.options, ...(hasNothing ? [NOTHING] : creatable)]
  // With several values, Enter ends the edit unless the user typed or used the arrow keys.
  const unwalked = isMany ? -1 : options.findIndex(({ value }) => value === start[0]?.value)
  const first = isBare ? unwalked : 0
  return {
    text,
    options,
    at: Math.min(walked ?? first, options.length - 1),
    // Extra rows below the results are numbered after all matches, including those not loaded yet.
    positionOf: (place: number) => {
      const extra = options.length - found.options.length
      return foundPosition(place < found.options.length ? place : found.total, found, extra)
    },
    type: (next: string) => {
      setText(next)
      setWalked(undefined)
    },
    walk: (by: 1 | -1) => {
      const from = walked ?? first
      const to = from < 0 && by < 0 ? options.length - 1 : (from + by + options.length) % options.length
      setWalked(options.length === 0 ? undefined : to)
    },
    isSearching: found.status === 'searching',
    emptyText: noOptionsText(found.status),
    cutText: cutOptionsText(found, found.options.length),
  }
}
