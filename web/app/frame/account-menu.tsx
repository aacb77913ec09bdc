import { Avatar, UnstyledButton } from '@mantine/core'
import { useUserLanguage } from '#web/shared/appearance-settings.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'
import './account-menu.css'

const items = lazyModule(() => import('./account-menu-items.tsx'))

/** The initials of the first and last name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].flatMap(
    (word) => [...(word ?? '')][0] ?? [],
  )
  return letters.join('').toLocaleUpperCase()
}

export function AccountMenu() {
  const user = useUser()
  useUserLanguage(user)
  if (!user) return null
  return (
    <MenuButton
      widthPx={240}
      part={items}
      items={({ AccountMenuItems }) => <AccountMenuItems user={user} />}
      button={(button) => (
        <UnstyledButton
          {...button}
          className="account-button"
          aria-label={t('{name}, account of {name2}', { name: initialsOf(user.name), name2: user.name })}
        >
          <Avatar size={28} color="primary" variant="filled" aria-hidden>
            {initialsOf(user.name)}
          </Avatar>
        </UnstyledButton>
      )}
    />
  )
}
