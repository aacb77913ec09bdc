import { useEffect, useRef } from 'react'
import { isId } from '#domain/fields/relation.ts'
import { HueDot } from '#web/ui/dropdown/option.tsx'
import { t } from '#web/i18n/t.ts'
import { KIND_PRESENTATION } from '#web/shared/fields/kind-presentation.ts'
import type { CompletionOption } from './completion.ts'
import type { CompletionState } from './use-completion.ts'
import './filter-input.css'

type SuggestionListProps = { readonly id: string; readonly completion: CompletionState }

/** What may come next in a filter that is being written. The keys are the field's, which keeps the focus. */
export function SuggestionList({ id, completion: { options, isOpen, active, take } }: SuggestionListProps) {
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
