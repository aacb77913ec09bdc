import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_LABEL_LENGTH } from '#domain/collections/names.ts'
import { describeError, partMessage } from '#web/data/api/error-messages.ts'
import { IconTemplate } from '#web/ui/icons/later.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { useCreateCollection } from './collection-queries.ts'
import '#web/features/schema/schema.css'

type NewCollectionDialogProps = { readonly isOpen: boolean; readonly onClose: () => void }

const templates = lazyModule(() => import('./templates-dialog.tsx'))

export function NewCollectionDialog({ isOpen, onClose }: NewCollectionDialogProps) {
  const [isTemplate, setTemplate] = useState(false)
  const { TemplatesDialog } = useLazyModule(templates, isTemplate) ?? {}
  const close = () => {
    setTemplate(false)
    onClose()
  }
  return (
    <>
      <Dialog opened={isOpen && !isTemplate} onClose={close} title={t('New collection')} size={440}>
        <NewCollectionForm onClose={close} onTemplate={() => setTemplate(true)} />
      </Dialog>
      {TemplatesDialog && <TemplatesDialog isOpen={isOpen && isTemplate} onClose={close} />}
    </>
  )
}

type NewCollectionFormProps = { readonly onClose: () => void; readonly onTemplate: () => void }

/** Separate component, so that its state resets when the dialog closes. */
function NewCollectionForm({ onClose, onTemplate }: NewCollectionFormProps) {
  const [label, setLabel] = useState('')
  const [description, setDescription] = useState('')
  const navigate = useNavigate()
  const { mutate, isPending, error } = useCreateCollection()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (label.trim() === '' || isPending) return
    mutate(
      { label: label.trim(), description: description.trim() },
      {
        onSuccess: ({ name }) => {
          onClose()
          void navigate({ to: '/collections/$collection', params: { collection: name } })
        },
      },
    )
  }

  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="collection-label">
        <TextInput
          label={t('Name')}
          description={t('Plural noun, such as Cases, Samples or Inspections')}
          value={label}
          maxLength={MAX_LABEL_LENGTH}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          error={error && (partMessage(error, 'name') ?? describeError(error).detail)}
          data-autofocus
        />
      </WithHelp>
      <WithHelp setting="collection-description" isDescribed>
        <Textarea
          label={t('Description (optional)')}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={MAX_COLLECTION_DESCRIPTION_LENGTH}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </WithHelp>
      <p className="dialog-hint">
        {t('Starts with a title, notes and files. You can add and edit fields at any time.')}
      </p>
      <FormActions label={t('Create collection')} isReady={label.trim() !== ''} isBusy={isPending} onCancel={onClose}>
        <Button
          className="dialog-action-aside"
          variant="subtle"
          leftSection={<IconTemplate size={16} stroke={1.5} />}
          onClick={onTemplate}
        >
          {t('From template')}
        </Button>
      </FormActions>
    </form>
  )
}
