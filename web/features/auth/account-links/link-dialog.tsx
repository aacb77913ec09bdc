import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readInvitation } from '#api/users.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import './link-dialog.css'
import { type OpenedLink, openedLinks } from './opened-link.ts'

type LinkDialogProps = { readonly link: OpenedLink }

/** Shown when a signed-in user opens a link for another account; the user can continue or stay signed in. */
export function LinkDialog({ link }: LinkDialogProps) {
  const user = useUser()
  const navigate = useNavigate()
  const { isGone, email } = useInvited(link)

  function goOn() {
    openedLinks.want()
    void navigate({ to: sessionConfig.routes.logout })
  }

  return (
    <Dialog opened onClose={openedLinks.stay} title={t('You’re already signed in')} size={460}>
      <div className="link-dialog">
        <p>
          <Say
            text="{wordsFor} This browser is signed in as {name} ({email})."
            values={{
              wordsFor: wordsFor(link, email, isGone),
              name: <strong>{user?.name}</strong>,
              email: user?.email,
            }}
          />
        </p>
        {!isGone && (
          <p>{t('Sign out to continue with the link, or stay signed in. You can use the link until it expires.')}</p>
        )}
        <div className="link-dialog-actions">
          <Button onClick={openedLinks.stay} data-autofocus>
            {isGone ? t('Close') : t('Stay signed in')}
          </Button>
          {!isGone && (
            <Button variant="filled" onClick={goOn}>
              {t('Sign out and continue')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** Reset links don't reveal which account they belong to, so only invitations are looked up. */
function useInvited({ page, code }: OpenedLink) {
  const { data, error } = useQuery({
    queryKey: ['invitation', code],
    queryFn: ({ signal }) => callOpenly(readInvitation, { body: { code }, signal }),
    enabled: page === '/invitation',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { email: data?.email, isGone: toCallError(error)?.code === 'gone' }
}

function wordsFor({ page }: OpenedLink, email: string | undefined, isGone: boolean): string {
  if (page === '/reset-password') return t('You opened a password reset link.')
  if (isGone) {
    return t(
      'You opened an invitation that is no longer valid: it was already used, is older than 48 hours, or was replaced by a newer one.',
    )
  }
  return email === undefined ? t('You opened an invitation.') : t('You opened an invitation for {email}.', { email })
}
