import { Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { SessionUser } from '#api/sessions.ts'
import { toLanguage, LANGUAGES } from '#domain/shared/language.ts'
import { reloadInLanguage, setDensity, setLanguage } from '#web/shared/appearance-settings.ts'
import { ACCOUNT_PAGES } from '#web/shared/navigation/app-pages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { commands } from '#web/ui/shortcuts/commands.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconBell, IconKeyboard } from '#web/ui/icons/frame.ts'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '#web/ui/icons/later.ts'
import { keysOf, ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { DENSITIES, type Density, useDensity } from '#web/ui/theme/theme.ts'
import { LANGUAGE, LANGUAGE_NAMES } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'

const SCHEMES: readonly { readonly scheme: 'auto' | 'light' | 'dark'; readonly label: string; readonly icon: Icon }[] =
  [
    { scheme: 'auto', label: t('System'), icon: IconDeviceDesktop },
    { scheme: 'light', label: t('Light'), icon: IconSun },
    { scheme: 'dark', label: t('Dark'), icon: IconMoon },
  ]

export function AccountMenuItems({ user }: { readonly user: SessionUser }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  // Links to account pages are hidden during impersonation.
  const isSeen = user.view_as?.is_on === true

  function choose(wanted: string) {
    const chosen = SCHEMES.find(({ scheme }) => scheme === wanted)
    if (chosen) setColorScheme(chosen.scheme)
  }

  function speak(wanted: string) {
    const language = toLanguage(wanted)
    // During impersonation, the language changes only in this browser, not in the user's account.
    if (language) void (isSeen ? reloadInLanguage(language) : setLanguage(language))
  }

  return (
    <>
      <div className="account-who">
        <strong>{user.name}</strong>
        <span>{user.email}</span>
      </div>
      <Menu.Divider />
      {!isSeen && <AccountPages />}
      <Menu.Label>{t('Appearance')}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={choose}>
        {SCHEMES.map(({ scheme, label, icon: SchemeIcon }) => (
          <Menu.RadioItem key={scheme} value={scheme} rightSection={<SchemeIcon size={16} stroke={1.5} aria-hidden />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <DensityItems />
      <Menu.Label>{t('Language')}</Menu.Label>
      <Menu.RadioGroup value={LANGUAGE} onChange={speak}>
        {LANGUAGES.map((language) => (
          <Menu.RadioItem key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <MenuItem icon={IconBell} label={t('Recent notifications')} onClick={() => commands.run('notifications')} />
      <MenuItem
        icon={IconKeyboard}
        label={t('Keyboard shortcuts')}
        rightSection={<ShortcutHint keys={keysOf('shortcuts') ?? ''} />}
        onClick={() => commands.run('shortcuts')}
      />
      <Menu.Item
        component={Link}
        to={sessionConfig.routes.logout}
        preload={false}
        leftSection={<IconLogout size={16} stroke={1.5} />}
      >
        {t('Sign out')}
      </Menu.Item>
    </>
  )
}

const DENSITY_WORDS: Readonly<Record<Density, string>> = {
  auto: t('Auto'),
  comfortable: t('Comfortable'),
  compact: t('Compact'),
}

/** Menu items for the density of menus, forms and lists; the grid has its own row heights. */
function DensityItems() {
  const density = useDensity()
  const choose = (wanted: string) => {
    const chosen = DENSITIES.find((one) => one === wanted)
    if (chosen) setDensity(chosen)
  }
  return (
    <>
      <Menu.Label>{t('Density')}</Menu.Label>
      <Menu.RadioGroup value={density} onChange={choose}>
        {DENSITIES.map((one) => (
          <Menu.RadioItem key={one} value={one}>
            {DENSITY_WORDS[one]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}

function AccountPages() {
  return (
    <>
      {ACCOUNT_PAGES.map(({ to, name, icon: PageIcon }) => (
        <Menu.Item key={to} component={Link} to={to} leftSection={<PageIcon size={16} stroke={1.5} />}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}
