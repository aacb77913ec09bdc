import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { changeLogo } from '#api/workspace.ts'
import { checkPassword } from '#domain/sessions/password-rules.ts'
import { isPasswordRejected, NewPasswordInput } from '#web/shared/credentials/new-password-input.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { call } from '#web/data/api/call.ts'
import { loadBranding, setBranding } from '#web/data/session/branding.ts'
import { LogoInput } from '#web/shared/branding/logo-input.tsx'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { t } from '#web/i18n/t.ts'

type SetupFormProps = {
  readonly code: string
}

type Workspace = { readonly name: string; readonly logo: Blob | null }

/** The workspace already exists at this point, so a failure is only shown. */
async function saveBranding(logo: Blob | null): Promise<void> {
  if (logo) await call(changeLogo, { body: logo }).then(setBranding, notifyFailure(t('Couldn’t save the logo')))
  else await loadBranding()
}

function useLogoPreview(logo: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!logo) return undefined
    const preview = URL.createObjectURL(logo)
    setUrl(preview)
    return () => {
      URL.revokeObjectURL(preview)
      setUrl(null)
    }
  }, [logo])
  return url
}

const FIELD = { size: 'md', required: true, withAsterisk: false } as const

export function SetupForm({ code }: SetupFormProps) {
  const [owner, setOwner] = useState({ name: '', email: '', password: '' })
  const [wasTried, setWasTried] = useState(false)
  const passwordInput = useRef<HTMLInputElement>(null)
  const outcome = checkPassword(owner.password, owner)
  const [workspace, setWorkspace] = useState<Workspace>({ name: '', logo: null })
  const setUp = useMutation({
    mutationFn: async () => {
      const workspaceName = workspace.name.trim()
      await sessionActions.setUpOwner({ ...owner, email: owner.email.trim(), code, workspaceName })
      await saveBranding(workspace.logo)
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (outcome !== 'good') passwordInput.current?.focus()
    else if (!setUp.isPending) setUp.mutate()
  }

  const change = (part: Partial<typeof owner>) => setOwner((before) => ({ ...before, ...part }))

  return (
    <form onSubmit={submit}>
      {setUp.error && !isPasswordRejected(setUp.error) && <FailureNotice error={setUp.error} />}
      <TextInput
        label={t('Your name')}
        name="name"
        {...FIELD}
        autoComplete="name"
        autoFocus
        maxLength={120}
        value={owner.name}
        error={partMessage(setUp.error, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        {...FIELD}
        autoComplete="username"
        value={owner.email}
        error={partMessage(setUp.error, 'email')}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <NewPasswordInput
        ref={passwordInput}
        owner={owner}
        value={owner.password}
        wasTried={wasTried}
        failure={setUp.error}
        onChange={(password) => change({ password })}
      />
      <WorkspaceFields
        workspace={workspace}
        error={partMessage(setUp.error, 'workspaceName')}
        onChange={setWorkspace}
      />
      <Button type="submit" variant="filled" size="md" fullWidth loading={setUp.isPending}>
        {t('Create workspace')}
      </Button>
    </form>
  )
}

type WorkspaceFieldsProps = {
  readonly workspace: Workspace
  readonly error: string | undefined
  readonly onChange: (workspace: Workspace) => void
}

function WorkspaceFields({ workspace, error, onChange }: WorkspaceFieldsProps) {
  const preview = useLogoPreview(workspace.logo)
  return (
    <>
      <TextInput
        label={t('Workspace name')}
        description={t('For example, your organization’s name. You can change it later.')}
        name="organization"
        size="md"
        autoComplete="organization"
        placeholder="Dossier"
        maxLength={60}
        value={workspace.name}
        error={error}
        onChange={({ currentTarget }) => onChange({ ...workspace, name: currentTarget.value })}
      />
      <LogoInput logo={preview} onChange={(logo) => onChange({ ...workspace, logo })} />
    </>
  )
}
