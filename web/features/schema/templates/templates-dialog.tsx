import { Button, Checkbox, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TemplateBody } from '#api/templates.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconDevices, IconUsersGroup } from '#web/ui/icons/start.ts'
import { IconFlask, IconHeadset, IconNews, IconTemplate } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { TemplatePreview } from './template-preview.tsx'
import { templatesQuery, useApplyTemplate } from './templates-query.ts'
import './templates.css'

type TemplatesDialogProps = { readonly isOpen: boolean; readonly onClose: () => void }

const ICONS: { readonly [template: string]: Icon } = {
  cases: IconHeadset,
  assets: IconDevices,
  applicants: IconUsersGroup,
  'research-samples': IconFlask,
  editorial: IconNews,
}

/** Shows what each template would make, before anything is made. */
export function TemplatesDialog({ isOpen, onClose }: TemplatesDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Start from a template')} size={920}>
      <Templates onClose={onClose} />
    </Dialog>
  )
}

/** Its own component, so that what was chosen is gone when the dialog closes. */
function Templates({ onClose }: { readonly onClose: () => void }) {
  const { data: templates, error, refetch } = useQuery(templatesQuery)
  if (error && !templates) return <FailureNotice error={error} onRetry={() => void refetch()} />
  const [first] = templates ?? []
  return templates && first ? (
    <TemplatesForm templates={templates} first={first} onClose={onClose} />
  ) : (
    <Skeleton height={420} radius="md" />
  )
}

type TemplatesFormProps = {
  readonly templates: readonly TemplateBody[]
  readonly first: TemplateBody
  readonly onClose: () => void
}

function TemplatesForm({ templates, first, onClose }: TemplatesFormProps) {
  const [chosenId, setChosenId] = useState(first.id)
  const [withExamples, setWithExamples] = useState(true)
  const { mutate, isPending, error } = useApplyTemplate(onClose)
  const chosen = templates.find(({ id }) => id === chosenId) ?? first

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate({ id: chosen.id, label: chosen.label, withExamples })
  }

  return (
    <form className="templates" onSubmit={submit}>
      <div className="templates-choice">
        <fieldset className="templates-list">
          <legend className="visually-hidden">{t('Template')}</legend>
          {templates.map((template, at) => (
            <TemplateOption
              key={template.id}
              template={template}
              isChosen={template.id === chosen.id}
              isFirst={at === 0}
              onChoose={() => setChosenId(template.id)}
            />
          ))}
        </fieldset>
        <TemplatePreview template={chosen} />
      </div>
      {error && <FailureNotice error={error} />}
      <div className="templates-end">
        <WithHelp setting="template-examples">
          <Checkbox
            label={t('Include sample data')}
            checked={withExamples}
            onChange={({ currentTarget }) => setWithExamples(currentTarget.checked)}
          />
        </WithHelp>
        <div className="templates-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="filled" loading={isPending}>
            {t('Use “{template}”', { template: chosen.label })}
          </Button>
        </div>
      </div>
    </form>
  )
}

type TemplateOptionProps = {
  readonly template: TemplateBody
  readonly isChosen: boolean
  readonly isFirst: boolean
  readonly onChoose: () => void
}

function TemplateOption({ template: { id, label }, isChosen, isFirst, onChoose }: TemplateOptionProps) {
  const OptionIcon = ICONS[id] ?? IconTemplate
  return (
    <label className="template-option" data-chosen={isChosen || undefined}>
      <input
        type="radio"
        name="template"
        className="visually-hidden"
        checked={isChosen}
        onChange={onChoose}
        {...(isFirst && { 'data-autofocus': true, autoFocus: true })}
      />
      <OptionIcon size={18} stroke={1.5} aria-hidden />
      <span>{label}</span>
    </label>
  )
}
