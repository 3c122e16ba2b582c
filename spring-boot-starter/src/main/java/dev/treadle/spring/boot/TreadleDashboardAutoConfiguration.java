package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.dashboard.Dashboard;
import dev.treadle.dashboard.servlet.DashboardServlet;
import dev.treadle.dashboard.servlet.ServletAuthenticator;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.hierarchicalroles.NullRoleHierarchy;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.web.SecurityFilterChain;

/** The dashboard as a servlet, behind the application's own security. Off unless {@code treadle.dashboard.enabled}. */
@AutoConfiguration(after = TreadleAutoConfiguration.class)
@ConditionalOnClass({Dashboard.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(prefix = "treadle.dashboard", name = "enabled", havingValue = "true")
@ConditionalOnBean(Treadle.class)
@EnableConfigurationProperties(TreadleDashboardProperties.class)
final class TreadleDashboardAutoConfiguration {
    /** The servlet. A bean of this type in the application replaces it. */
    @Bean
    @ConditionalOnMissingBean
    DashboardServlet treadleDashboardServlet(
            Treadle treadle,
            TreadleDashboardProperties properties,
            ObjectProvider<ServletAuthenticator> authenticator,
            @Value("${spring.application.name:Treadle}") String name) {
        Dashboard.Builder builder = Dashboard.of(treadle).title(properties.title() == null ? name : properties.title());
        properties.hide().forEach(builder::hide);
        if (properties.environment() != null) {
            builder.environment(properties.environment());
        }
        ServletAuthenticator users = authenticator.getIfAvailable();
        if (users == null && !properties.open()) {
            throw notSecured("there is no Spring Security in this application", properties.path());
        }
        try {
            properties.allowedHosts().forEach(builder::allowHost);
            return users == null || properties.open()
                    ? DashboardServlet.open(builder, properties.openRole())
                    : DashboardServlet.of(builder, users);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new TreadleSetupException(
                    "The dashboard at " + properties.path() + " is enabled and cannot be served: " + e.getMessage(),
                    "Change what the message names, or leave treadle.dashboard.enabled out.",
                    e);
        }
    }

    @Bean
    ServletRegistrationBean<DashboardServlet> treadleDashboardRegistration(
            DashboardServlet servlet, TreadleDashboardProperties properties) {
        ServletRegistrationBean<DashboardServlet> registration =
                new ServletRegistrationBean<>(servlet, properties.path() + "/*");
        registration.setName("treadleDashboard");
        registration.setLoadOnStartup(1);
        return registration;
    }

    @Bean
    SmartLifecycle treadleDashboardStreams(DashboardServlet servlet) {
        return new TreadleDashboardStreams(servlet);
    }

    private static TreadleSetupException notSecured(String why, String path) {
        return new TreadleSetupException(
                "The dashboard at " + path + " is enabled, but nobody could sign in to it, because " + why + ".",
                "Add spring-boot-starter-security with a SecurityFilterChain that covers " + path
                        + "/**, or a bean of type ServletAuthenticator, or, if only people you trust can reach this"
                        + " application, set treadle.dashboard.open=true.",
                null);
    }

    /** Who asks, by Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityFilterChain.class)
    @ConditionalOnMissingBean(ServletAuthenticator.class)
    static class SpringSecurity {
        @Bean
        ServletAuthenticator treadleDashboardAuthenticator(
                TreadleDashboardProperties properties, ObjectProvider<RoleHierarchy> hierarchy) {
            return new SpringSecurityAuthenticator(
                    properties.authorities(), hierarchy.getIfAvailable(NullRoleHierarchy::new));
        }

        @Bean
        SmartInitializingSingleton treadleDashboardIsSecured(
                TreadleDashboardProperties properties,
                ObjectProvider<SecurityFilterChain> chains,
                ServletContext context) {
            return () -> {
                ProbeRequest probe = new ProbeRequest(context, properties.path());
                if (!properties.open() && chains.orderedStream().noneMatch(probe::isMatchedBy)) {
                    throw notSecured("no SecurityFilterChain of this application covers that path", properties.path());
                }
            };
        }
    }
}
