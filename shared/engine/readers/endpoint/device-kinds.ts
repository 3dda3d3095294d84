import type { InputSource } from '../../sigma/input-sources.ts';

/** What a record that an endpoint product made is to rules. */
export type DeviceKind =
  | 'process'
  | 'network'
  | 'fileCreated'
  | 'fileModified'
  | 'fileDeleted'
  | 'fileRenamed'
  | 'registryAdded'
  | 'registrySet'
  | 'registryKeyDeleted'
  | 'registryValueDeleted'
  | 'registryRenamed'
  | 'imageLoad'
  | 'pipe'
  | 'driver'
  | 'remoteThread'
  | 'processAccess'
  | 'dns'
  | 'script'
  | 'other';

export type System = 'windows' | 'linux' | 'macos';
export const systems: readonly System[] = ['windows', 'linux', 'macos'];

/** By operating system; where there is none for one, records of it are its product's and no more. */
type Sources = { readonly windows: InputSource; readonly linux?: InputSource; readonly macos?: InputSource };

const sources: Readonly<Record<DeviceKind, Sources>> = {
  process: { windows: 'windowsProcess', linux: 'linuxProcess', macos: 'macosProcess' },
  network: { windows: 'windowsNetwork', linux: 'linuxNetwork' },
  fileCreated: { windows: 'windowsFileCreated', linux: 'linuxFile', macos: 'macosFile' },
  fileModified: { windows: 'windowsFileModified' },
  fileDeleted: { windows: 'windowsFileDeleted', linux: 'linuxFileDeleted' },
  fileRenamed: { windows: 'windowsFileRenamed' },
  registryAdded: { windows: 'windowsRegistryAdded' },
  registrySet: { windows: 'windowsRegistrySet' },
  registryKeyDeleted: { windows: 'windowsRegistryDeleted' },
  registryValueDeleted: { windows: 'windowsRegistryDeleted' },
  registryRenamed: { windows: 'windowsRegistryRenamed' },
  imageLoad: { windows: 'windowsImageLoad' },
  driver: { windows: 'windowsDriver' },
  pipe: { windows: 'windowsPipe' },
  remoteThread: { windows: 'windowsRemoteThread' },
  processAccess: { windows: 'windowsProcessAccess' },
  dns: { windows: 'windowsDns', linux: 'linuxDns', macos: 'macosDns' },
  script: { windows: 'windowsScript' },
  other: { windows: 'windows' },
};
export const deviceKinds = Object.keys(sources) as DeviceKind[];

export function sourceOf(kind: DeviceKind, system: System): InputSource {
  return sources[kind][system] ?? system;
}

/** @param path of a program or file. */
export function systemOf(path: string): System {
  if (!path.startsWith('/')) return 'windows';
  return /^\/(?:Applications|Library|System|Users|private)\//.test(path) ? 'macos' : 'linux';
}

/** The operating system of a name that products give it, as `Lin`, `osx` or `debian`; undefined for none that is known. */
export function systemNamed(name: string): System | undefined {
  if (/^win/i.test(name)) return 'windows';
  if (/^(?:mac|osx|os x|darwin)/i.test(name)) return 'macos';
  const isLinux = /^lin|ubuntu|debian|red ?hat|rhel|fedora|centos|suse|amazon|amzn|alpine|arch|oracle|rocky|alma/i;
  return isLinux.test(name) ? 'linux' : undefined;
}
