import { Checkbox, Skeleton } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Fragment, useState } from 'react'
import { type TemplateBody, listTemplates, undoTemplate, useTemplate } from '#api/templates.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { IconArrowRight } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import './templates.css'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { LANGUAGE, listText } from '#web/i18n/locale.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import { HueDot } from '#web/ui/dropdown/option.tsx'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { templateMatches } from './template-search.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'

/** Templates change only when a new version is released. */
const templatesQuery = queryOptions({
  queryKey: queryKeys.templates,
  queryFn: async ({ signal }) => (await call(listTemplates, { query: { language: LANGUAGE }, signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

type TemplateRequest = { readonly id: string; readonly label: string; readonly withExamples: boolean }

function useApplyTemplate(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.collections })

  const undo = useMutation({
    mutationFn: (collections: string[]) => call(undoTemplate, { body: { collections } }),
    onSuccess: async () => {
      await navigate({ to: sessionConfig.routes.home })
      await refresh()
    },
    onError: notifyFailure(),
  })

  return useMutation({
    mutationFn: ({ id, withExamples }: TemplateRequest) =>
      call(useTemplate, { params: { template: id }, body: { withExamples, language: LANGUAGE } }),
    onSuccess: async ({ collections }, { label }) => {
      await refresh()
      onDone()
      notify.success(t('“{template}” added.', { template: label }), {
        action: { label: t('Undo'), run: () => undo.mutate(collections.map(({ id }) => id)) },
      })
      const about = collections.at(-1)
      if (about) await navigate({ to: '/collections/$collection', params: { collection: about.name } })
    },
  })
}

type TemplatesDialogProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function TemplatesDialog({ isOpen, onClose }: TemplatesDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Start from a template')} size={920}>
      <Templates onClose={onClose} />
    </Dialog>
  )
}

/** Separate component, so that its state resets when the dialog closes. */
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
  const [search, setSearch] = useState('')
  const [withExamples, setWithExamples] = useState(true)
  const { mutate, isPending, error } = useApplyTemplate(onClose)
  const found = templates.filter((template) => templateMatches(template, search))
  const chosen = found.find(({ id }) => id === chosenId) ?? found[0]

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending && chosen) mutate({ id: chosen.id, label: chosen.label, withExamples })
  }

  return (
    <form className="templates" onSubmit={submit}>
      <div className="templates-choice">
        <div className="templates-side">
          <SearchField label={t('Search templates')} value={search} onChange={setSearch} hasFocus />
          <fieldset className="templates-list">
            <legend className="visually-hidden">{t('Template')}</legend>
            {found.map((template) => (
              <TemplateOption
                key={template.id}
                template={template}
                isChosen={template.id === chosen?.id}
                onChoose={() => setChosenId(template.id)}
              />
            ))}
          </fieldset>
        </div>
        {chosen ? <TemplatePreview template={chosen} /> : <NoTemplate search={search} />}
      </div>
      <FailureNotice error={error} />
      <div className="templates-end">
        <WithHelp setting="template-examples">
          <Checkbox
            label={t('Include sample data')}
            checked={withExamples}
            onChange={({ currentTarget }) => setWithExamples(currentTarget.checked)}
          />
        </WithHelp>
        <FormActions
          label={chosen ? t('Use “{template}”', { template: chosen.label }) : t('Use template')}
          isReady={chosen !== undefined}
          isBusy={isPending}
          onCancel={onClose}
        />
      </div>
    </form>
  )
}

function NoTemplate({ search }: { readonly search: string }) {
  return (
    <p className="template-preview" role="status">
      {t('No templates match “{search}”. Try another word or start from scratch.', {
        search: search.trim(),
      })}
    </p>
  )
}

type TemplateOptionProps = {
  readonly template: TemplateBody
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function TemplateOption({ template, isChosen, onChoose }: TemplateOptionProps) {
  return (
    <label className="template-option" data-chosen={isChosen || undefined}>
      <input type="radio" name="template" className="visually-hidden" checked={isChosen} onChange={onChoose} />
      <CollectionIcon look={template} />
      <span>{template.label}</span>
    </label>
  )
}

function TemplatePreview({ template: { label, purpose, collections } }: { readonly template: TemplateBody }) {
  return (
    <section
      className="template-preview"
      aria-label={t('Included in “{template}”', { template: label })}
      aria-live="polite"
    >
      <p>{purpose}</p>
      {collections.toReversed().map((collection) => (
        <CollectionPreview key={collection.label} collection={collection} />
      ))}
    </section>
  )
}

type Collection = TemplateBody['collections'][number]

function CollectionPreview({
  collection: { label, fields, states, rules, views },
}: {
  readonly collection: Collection
}) {
  return (
    <article className="template-collection">
      <h3>{label}</h3>
      <ul className="template-fields">
        {fields.map((field) => {
          const { Icon, label: kind } = KIND_TRAITS[field.kind]
          return (
            <li key={field.label} title={kind}>
              <Icon size={14} stroke={1.5} aria-hidden />
              {field.label}
            </li>
          )
        })}
      </ul>
      {states.length > 0 && <States states={states} />}
      {(views.length > 0 || rules.length > 0) && (
        <dl>
          {views.length > 0 && (
            <>
              <dt>{t('Views')}</dt>
              <dd>{listText(views)}</dd>
            </>
          )}
          {rules.map((rule, at) => (
            <Fragment key={rule}>
              <dt className={at > 0 ? 'visually-hidden' : undefined}>{t('Rule')}</dt>
              <dd>{rule}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </article>
  )
}

function States({ states }: { readonly states: Collection['states'] }) {
  return (
    <ol className="template-states">
      {states.map(({ name, color }, at) => {
        const { text, tint } = optionColors(color)
        return (
          <li key={name}>
            {at > 0 && <IconArrowRight size={12} stroke={1.5} aria-hidden />}
            <span style={{ color: text, background: tint }}>
              <HueDot hue={color} />
              {name}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
