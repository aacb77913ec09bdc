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
          'No mail server configured, so no email was sent. Copy the link and share it. It works once and expires in 48 hours.',
          'No mail server configured, so no emails were sent. Copy the links and share them. Each works once and expires in 48 hours.',
        )}
      </p>
      <ul className="invited-links">
        {invited.map(({ email, link }) => (
          <li key={email}>
            <span>{email}</span>
            {link !== undefined && (
              <CopyButton text={link} size="xs">
                {t('Copy link')}
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
