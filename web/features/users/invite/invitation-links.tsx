import { Button } from '@mantine/core'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { plural, t } from '#web/i18n/t.ts'
import type { Invited } from './use-invite.ts'

type InvitationLinksProps = { readonly invited: readonly Invited[]; readonly onClose: () => void }

/** The links of invitations that nobody sends: whoever invited passes them on. */
export function InvitationLinks({ invited, onClose }: InvitationLinksProps) {
  return (
    <div className="invite-form">
      <p className="invite-hint">
        {plural(
          invited.length,
          'No mail server is set, so nothing was sent. Copy the link and pass it on; it works once, for 48 hours.',
          'No mail server is set, so nothing was sent. Copy the links and pass them on; each works once, for 48 hours.',
        )}
      </p>
      <ul className="invited-links">
        {invited.map(({ email, link }) => (
          <li key={email}>
            <span>{email}</span>
            {link !== undefined && (
              <CopyButton text={link} size="xs">
                {t('Copy the link')}
              </CopyButton>
            )}
          </li>
        ))}
      </ul>
      <div className="invite-actions">
        <Button variant="filled" onClick={onClose} data-autofocus>
          {t('Done')}
        </Button>
      </div>
    </div>
  )
}
