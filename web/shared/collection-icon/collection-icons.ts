import type { CollectionIcon } from '#domain/collections/collection-appearance.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconArchive } from '#web/ui/icons/icon-archive.ts'
import { IconAward } from '#web/ui/icons/icon-award.ts'
import { IconBook } from '#web/ui/icons/icon-book.ts'
import { IconBriefcase } from '#web/ui/icons/icon-briefcase.ts'
import { IconBug } from '#web/ui/icons/icon-bug.ts'
import { IconBuilding } from '#web/ui/icons/icon-building.ts'
import { IconBuildingWarehouse } from '#web/ui/icons/icon-building-warehouse.ts'
import { IconBulb } from '#web/ui/icons/icon-bulb.ts'
import { IconCalendar } from '#web/ui/icons/icon-calendar.ts'
import { IconCamera } from '#web/ui/icons/icon-camera.ts'
import { IconCar } from '#web/ui/icons/icon-car.ts'
import { IconChartBar } from '#web/ui/icons/icon-chart-bar.ts'
import { IconClipboardList } from '#web/ui/icons/icon-clipboard-list.ts'
import { IconCoin } from '#web/ui/icons/icon-coin.ts'
import { IconCpu } from '#web/ui/icons/icon-cpu.ts'
import { IconCube } from '#web/ui/icons/icon-cube.ts'
import { IconFileText } from '#web/ui/icons/icon-file-text.ts'
import { IconFirstAidKit } from '#web/ui/icons/icon-first-aid-kit.ts'
import { IconFlag } from '#web/ui/icons/icon-flag.ts'
import { IconFlask } from '#web/ui/icons/icon-flask.ts'
import { IconFolder } from '#web/ui/icons/icon-folder.ts'
import { IconGavel } from '#web/ui/icons/icon-gavel.ts'
import { IconGlobe } from '#web/ui/icons/icon-globe.ts'
import { IconHammer } from '#web/ui/icons/icon-hammer.ts'
import { IconLeaf } from '#web/ui/icons/icon-leaf.ts'
import { IconMail } from '#web/ui/icons/icon-mail.ts'
import { IconMapPin } from '#web/ui/icons/icon-map-pin.ts'
import { IconMicroscope } from '#web/ui/icons/icon-microscope.ts'
import { IconMusic } from '#web/ui/icons/icon-music.ts'
import { IconPackage } from '#web/ui/icons/icon-package.ts'
import { IconPaw } from '#web/ui/icons/icon-paw.ts'
import { IconPhoto } from '#web/ui/icons/icon-photo.ts'
import { IconPlane } from '#web/ui/icons/icon-plane.ts'
import { IconReceipt } from '#web/ui/icons/icon-receipt.ts'
import { IconRocket } from '#web/ui/icons/icon-rocket.ts'
import { IconSchool } from '#web/ui/icons/icon-school.ts'
import { IconShield } from '#web/ui/icons/icon-shield.ts'
import { IconTag } from '#web/ui/icons/icon-tag.ts'
import { IconTruck } from '#web/ui/icons/icon-truck.ts'
import { IconUsers } from '#web/ui/icons/icon-users.ts'
import { t } from '#web/i18n/t.ts'

/** The signs of collections, each with the word for whoever does not see it. They come after the first picture of a page. */
export const COLLECTION_ICON_COMPONENTS: {
  readonly [Sign in CollectionIcon]: { readonly Icon: Icon; readonly label: string }
} = {
  archive: { Icon: IconArchive, label: t('Archive box') },
  award: { Icon: IconAward, label: t('Award') },
  book: { Icon: IconBook, label: t('Book') },
  briefcase: { Icon: IconBriefcase, label: t('Briefcase') },
  bug: { Icon: IconBug, label: t('Bug') },
  building: { Icon: IconBuilding, label: t('Building') },
  'building-warehouse': { Icon: IconBuildingWarehouse, label: t('Warehouse') },
  bulb: { Icon: IconBulb, label: t('Light bulb') },
  calendar: { Icon: IconCalendar, label: t('Calendar') },
  camera: { Icon: IconCamera, label: t('Camera') },
  car: { Icon: IconCar, label: t('Car') },
  'chart-bar': { Icon: IconChartBar, label: t('Chart') },
  'clipboard-list': { Icon: IconClipboardList, label: t('Clipboard') },
  coin: { Icon: IconCoin, label: t('Coin') },
  cpu: { Icon: IconCpu, label: t('Chip') },
  cube: { Icon: IconCube, label: t('Cube') },
  'file-text': { Icon: IconFileText, label: t('Sheet of paper') },
  'first-aid-kit': { Icon: IconFirstAidKit, label: t('First-aid kit') },
  flag: { Icon: IconFlag, label: t('Flag') },
  flask: { Icon: IconFlask, label: t('Flask') },
  folder: { Icon: IconFolder, label: t('Folder') },
  gavel: { Icon: IconGavel, label: t('Gavel') },
  globe: { Icon: IconGlobe, label: t('Globe') },
  hammer: { Icon: IconHammer, label: t('Hammer') },
  leaf: { Icon: IconLeaf, label: t('Leaf') },
  mail: { Icon: IconMail, label: t('Envelope') },
  'map-pin': { Icon: IconMapPin, label: t('Map pin') },
  microscope: { Icon: IconMicroscope, label: t('Microscope') },
  music: { Icon: IconMusic, label: t('Music') },
  package: { Icon: IconPackage, label: t('Parcel') },
  paw: { Icon: IconPaw, label: t('Paw') },
  photo: { Icon: IconPhoto, label: t('Image') },
  plane: { Icon: IconPlane, label: t('Plane') },
  receipt: { Icon: IconReceipt, label: t('Receipt') },
  rocket: { Icon: IconRocket, label: t('Rocket') },
  school: { Icon: IconSchool, label: t('School') },
  shield: { Icon: IconShield, label: t('Shield') },
  tag: { Icon: IconTag, label: t('Tag') },
  truck: { Icon: IconTruck, label: t('Truck') },
  users: { Icon: IconUsers, label: t('People') },
}
