import { ActionIcon, Button, Checkbox, Input, SegmentedControl, TextInput, Tooltip } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { MAX_SECTION_TITLE_LENGTH } from '#domain/collections/record-layout.ts'
import type { Field } from '#domain/fields/field.ts'
import { sameJson } from '#domain/shared/json.ts'
import { RecordSections } from '#web/field-kinds/record-sections.tsx'
import { t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { IconGripVertical, IconPlus } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { useChangeCollection } from '#web/features/schema/collection/collection-queries.ts'
import {
  canAddSection,
  type FieldLine,
  type LayoutDraft,
  layoutDraft,
  savedLayout,
  type SectionLine,
  shownSections,
  withLine,
  withoutSection,
  withSection,
} from './layout-draft.ts'
import './layout-editor.css'

export type LayoutEditorProps = { readonly collection: TypedCollection; readonly onClose: () => void }

/** Arranges the fields of a record next to a preview. */
export function LayoutEditor({ collection, onClose }: LayoutEditorProps) {
  const { draft, change, undo, canUndo } = useDraft(collection)
  const { save, remove, isPending, error } = useSaveLayout(collection, onClose)
  const [first, ...movable] = draft
  const reorder = useReorder({
    items: movable,
    keyOf: ({ id }) => id,
    nameOf,
    onReorder: (lines) => first && change([first, ...lines]),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) save(draft)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text'
    if (isTyping || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
    event.preventDefault()
    undo()
  }
  return (
    <form className="layout-editor" onSubmit={submit} onKeyDown={onKeyDown}>
      <div className="layout-lists">
        <p className="dialog-hint">
          {t('Drag fields and section titles, or focus a handle and use the arrow keys. New fields come last.')}
        </p>
        <Lines draft={draft} change={change} reorder={reorder} />
        <div className="settings-actions">
          <Button
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            disabled={!canAddSection(draft)}
            onClick={() => change(withSection(draft))}
          >
            {t('Add a section')}
          </Button>
          <Button size="xs" disabled={!canUndo} aria-keyshortcuts="Control+Z Meta+Z" onClick={undo}>
            {t('Undo')}
          </Button>
        </div>
      </div>
      <Preview collection={collection} draft={first ? [first, ...reorder.order] : []} />
      <div className="layout-end">
        <FailureNotice error={error} />
        <FormActions label={t('Save')} isBusy={isPending} onCancel={onClose}>
          {collection.layout && (
            <Button className="dialog-action-aside" variant="subtle" color="gray" onClick={remove}>
              {t('Use default layout')}
            </Button>
          )}
        </FormActions>
      </div>
    </form>
  )
}

type LinesProps = {
  readonly draft: LayoutDraft
  readonly change: ReturnType<typeof useDraft>['change']
  readonly reorder: Reorder<Line>
}

/** The first line is always a section, and can't be moved. */
function Lines({ draft, change, reorder }: LinesProps) {
  const [first] = draft
  const set = (line: Line, key?: string) => change(withLine(draft, line), key)
  return (
    <WithHelp setting="record-layout" isDescribed>
      {first?.kind === 'section' && <SectionRow line={first} onChange={set} />}
      <ul ref={reorder.listRef} aria-label={t('Sections and fields')}>
        {reorder.order.map((line) => (
          <li key={line.id} data-kind={line.kind} {...reorder.itemProps(line)}>
            <button {...reorder.handleProps(line)}>
              <IconGripVertical size={16} stroke={1.5} aria-hidden />
            </button>
            {line.kind === 'section' ? (
              <SectionRow line={line} onChange={set} onRemove={() => change(withoutSection(draft, line))} />
            ) : (
              <FieldRow line={line} onChange={set} />
            )}
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </WithHelp>
  )
}

type Line = LayoutDraft[number]

const nameOf = (line: Line): string => (line.kind === 'field' ? line.field.label : sectionName(line))

const sectionName = ({ title }: SectionLine): string => (title === '' ? t('Untitled section') : title)

/** A draft with the steps that led to it. Typing into one input is one step. */
function useDraft(collection: TypedCollection) {
  const [{ past, draft, key }, setState] = useState<{
    readonly past: readonly LayoutDraft[]
    readonly draft: LayoutDraft
    readonly key?: string | undefined
  }>(() => ({ past: [], draft: layoutDraft(collection) }))
  const change = (next: LayoutDraft, changedInput?: string) => {
    const isSameStep = changedInput !== undefined && changedInput === key
    setState({ past: isSameStep ? past : [...past, draft], draft: next, key: changedInput })
  }
  const undo = () => {
    const before = past.at(-1)
    if (before) setState({ past: past.slice(0, -1), draft: before })
  }
  return { draft, change, undo, canUndo: past.length > 0 }
}

function useSaveLayout(collection: TypedCollection, onClose: () => void) {
  const { mutate, isPending, error } = useChangeCollection(collection.name)
  const before = collection.layout ?? null
  const set = (layout: Parameters<typeof mutate>[0]['layout'], message: string) => {
    const putBack = () => mutate({ layout: before }, { onError: notifyFailure(t('Couldn’t undo')) })
    mutate(
      { layout },
      {
        onSuccess: () => {
          notify.success(message, { action: { label: t('Undo'), run: putBack } })
          onClose()
        },
      },
    )
  }
  const save = (draft: LayoutDraft) => {
    const isSame = sameJson(savedLayout(draft), savedLayout(layoutDraft(collection)))
    if (isSame) onClose()
    else set(savedLayout(draft), t('Record layout saved'))
  }
  return { save, remove: () => set(null, t('Default layout restored')), isPending, error }
}

type SectionRowProps = {
  readonly line: SectionLine
  /** `key` identifies the input that was typed into. */
  readonly onChange: (line: SectionLine, key?: string) => void
  readonly onRemove?: () => void
}

function SectionRow({ line, onChange, onRemove }: SectionRowProps) {
  const name = sectionName(line)
  return (
    <div className="layout-section-row">
      <TextInput
        size="xs"
        aria-label={t('Section title')}
        placeholder={t('Section title')}
        maxLength={MAX_SECTION_TITLE_LENGTH}
        value={line.title}
        onChange={({ currentTarget }) => onChange({ ...line, title: currentTarget.value }, line.id)}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('Columns of {name}', { name })}
        data={[
          { value: '1', label: t('1 column') },
          { value: '2', label: t('2 columns') },
        ]}
        value={String(line.fieldsPerLine)}
        onChange={(count) => onChange({ ...line, fieldsPerLine: count === '2' ? 2 : 1 })}
      />
      {onRemove && (
        <Tooltip label={t('Remove section')}>
          <ActionIcon aria-label={t('Remove section {name}', { name })} onClick={onRemove}>
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}

type FieldRowProps = { readonly line: FieldLine; readonly onChange: (line: FieldLine) => void }

function FieldRow({ line, onChange }: FieldRowProps) {
  const { field, isHiddenWhenEmpty } = line
  const { Icon } = KIND_TRAITS[field.kind]
  const nameId = useId()
  return (
    <div className="layout-field-row">
      <Icon size={16} stroke={1.5} aria-hidden />
      <span id={nameId}>{field.label}</span>
      <Checkbox
        size="xs"
        label={t('Hide when empty')}
        aria-describedby={nameId}
        // A required field without a value is always shown.
        disabled={field.required}
        checked={isHiddenWhenEmpty && !field.required}
        onChange={({ currentTarget }) => onChange({ ...line, isHiddenWhenEmpty: currentTarget.checked })}
      />
    </div>
  )
}

type PreviewProps = { readonly collection: TypedCollection; readonly draft: LayoutDraft }

function Preview({ collection, draft }: PreviewProps) {
  const title = collection.fields.find(({ name }) => name === collection.titleField)
  const hidden = new Set(draft.flatMap((line) => (line.kind === 'field' && line.isHiddenWhenEmpty ? line.id : [])))
  return (
    <div className="layout-preview" role="img" aria-label={t('Preview')}>
      <div className="record-sections" aria-hidden>
        <p className="layout-preview-title">{title?.label ?? collection.label}</p>
        <RecordSections
          sections={shownSections(draft)}
          renderField={(field) => <PreviewField key={field.id} field={field} isHidden={hidden.has(field.id)} />}
        />
      </div>
    </div>
  )
}

function PreviewField({ field, isHidden }: { readonly field: Field; readonly isHidden: boolean }) {
  return (
    <div className="record-field" data-hidden-when-empty={isHidden || undefined}>
      <Input.Wrapper label={field.label} labelElement="div">
        <div className="layout-preview-value" />
      </Input.Wrapper>
    </div>
  )
}
